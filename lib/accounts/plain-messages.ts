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
