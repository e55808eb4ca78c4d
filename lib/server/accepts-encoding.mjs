/**
 * Whether a client accepts an encoding of the body. A client refuses an encoding with the quality 0, as in `gzip;q=0`.
 * @param {string} accepted the header Accept-Encoding
 * @param {'br' | 'gzip'} name
 */
export function acceptsEncoding(accepted, name) {
  return accepted.split(',').some((part) => {
    const [encoding = '', ...parameters] = part.toLowerCase().split(';')
    return encoding.trim() === name && !parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(parameter))
  })
}
