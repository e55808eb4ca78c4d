import { createDraftedAccount } from '@/lib/accounts/create-account'
import { plainPlanTexts as texts } from '@/lib/accounts/plain-messages'
import { planStepSchema } from '@/lib/accounts/schema'
import { urlencoded } from '@/lib/http/input'
import { plainRefusal } from '@/lib/http/plain-forms/plain-refusal'
import { isShownToAPerson } from '@/lib/http/plain-forms/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { signInBrowser } from '@/lib/http/sign-in/sign-in-browser'
import { signupDraftCookie } from '@/lib/http/cookies/signup-draft-cookie'
import { AppError } from '@/lib/kernel/app-error'

// Receives the buttons of the plan step from browsers without JavaScript. The form posts to its own page, and the
// middleware passes the post on to this route.
export const POST = route({
  who: 'anyone',
  input: urlencoded(planStepSchema),
  run: async (ctx, { plan }, _params, request) => {
    // A signed-in seller can only look at the plans here, and upgrades on the dashboard.
    if (ctx.actor.kind === 'user') return seeOther(plan === 'pro' ? '/?upgrade=true' : '/')
    const draft = await signupDraftCookie.read()
    if (!draft) return seeOther('/signup')
    try {
      const user = await createDraftedAccount(ctx, draft, plan)
      await signupDraftCookie.clear()
      await signInBrowser(ctx, user, request, { isFirst: true })
      return seeOther('/welcome')
    } catch (error) {
      if (!(error instanceof AppError) || !isShownToAPerson(request)) throw error
      const actions = `<nav><a href="/signup">${texts.back}</a></nav>`
      return plainRefusal(error, { title: texts.title, text: error.message, actions })
    }
  },
})
