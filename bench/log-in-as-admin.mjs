/**
 * Logs in with the password of an administrator, which the application got from its environment.
 * @param {string} url
 * @param {{ email: string, password: string }} admin
 * @returns {Promise<string>} the cookies of the session
 */
export async function logInAsAdmin(url, admin) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(admin) })
  if (!answer.ok) throw new Error(`The administrator cannot log in: ${answer.status}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
