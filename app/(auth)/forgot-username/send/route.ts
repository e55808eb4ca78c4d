import { plainForgotRoute } from '@/lib/http/plain-forms/plain-forgot-route'

export const POST = plainForgotRoute('username')
