// This file is plain JavaScript, because the start script uses it before anything is installed.

/**
 * What people use when they make up a password: common words, names of seasons, years, rows of keys on the keyboard,
 * and `lastcall`, which is in the demo's published password.
 */
const GUESSED = [
  /pass(?:word|wort|code)?|secret|lastcall|admin(?:istrator)?|root|login|letmein|welcome|hello|change(?:me)?|default|test/g,
  /qwert[yz]?(?:uiop)?|asdf(?:ghjkl)?|zxcv(?:bnm)?|iloveyou|football|baseball|soccer|dragon|monkey|shadow|sunshine/g,
  /princess|master|super|batman|superman|starwars|trustno|whatever|freedom|spring|summer|autumn|winter|company|shop/g,
  /(?:19|20)\d\d/g,
]
/** How many characters have to be left after everything that is easy to guess has been removed. */
const UNGUESSED_CHARACTERS = 8

/**
 * Whether a password may protect real money. It needs at least 12 characters. When common words, years, and runs and
 * repetitions such as abcd or aaaa are removed, at least 8 characters have to remain, and 6 different ones among them.
 * The same has to hold when signs and digits such as 0 are read as the letters that they often stand for.
 * @param {string} password
 */
export function isStrongPassword(password) {
  const guessable = password
    .toLowerCase()
    .replace(/@/g, 'a')
    .replace(/0/g, 'o')
    .replace(/[1!](?=[a-z])/g, 'i')
  const rests = [password.toLowerCase(), guessable].map((text) => withoutRuns(GUESSED.reduce(removeAll, text)))
  return password.length >= 12 && rests.every((rest) => new Set(rest).size >= 6 && rest.length >= UNGUESSED_CHARACTERS)
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 */
const removeAll = (text, pattern) => text.replace(pattern, '')

/**
 * Removes every character that is equal to the one before it, or next to it in the alphabet or among the digits.
 * @param {string} text
 */
function withoutRuns(text) {
  return Array.from(text)
    .filter((_, at) => at === 0 || Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) > 1)
    .join('')
}
