/** The texts of the pages that answer the sign-in forms of a browser without JavaScript. */
export const plainSignInTexts = {
  title: "You're not signed in yet",
  username: 'Username or email',
  password: 'Password',
  code: 'Code',
  button: 'Sign In',
  codeHint: 'Enter the code from your authenticator app, or one of your recovery codes.',
  startAgain: 'Back to sign in',
} as const

/** The texts of the page that answers the sign-up form of a browser without JavaScript. */
export const plainSignupTexts = {
  title: "Your account isn't created yet",
  firstName: 'First name',
  lastName: 'Last name',
  username: 'Username',
  email: 'Email',
  password: 'Password',
  button: 'Create Account',
  planButton: 'Choose a plan',
  agree: "By creating an account you confirm that you're 18 or older and agree to the",
  terms: 'Terms of Service',
  and: 'and the',
  privacy: 'Privacy Policy',
} as const

/** The texts of the page that answers the form of the plan step without JavaScript. */
export const plainPlanTexts = { title: "Your account isn't created yet", back: 'Back to sign up' } as const

/** The texts of the pages that answer the forms for forgotten passwords and usernames without JavaScript. */
export const plainForgottenTexts = {
  email: 'Email',
  password: { title: 'No reset link was sent', button: 'Send Reset Link' },
  username: { title: 'No username was sent', button: 'Send Username' },
} as const

/** The texts of the page that answers the form for a new password without JavaScript. */
export const plainResetTexts = {
  title: "Your password isn't changed yet",
  newPassword: 'New password',
  confirmation: 'Confirm password',
  button: 'Reset Password',
  newLink: 'Ask for a new link',
} as const
