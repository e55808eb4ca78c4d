/** A statement with `$1…` in place of its parameter names, and the names in that order. */
export type CompiledStatement = { text: string; names: readonly string[] }

// The first alternatives match what is left unchanged: strings, quoted names, comments, dollar-quoted text, casts. Then
// comes a parameter name, which must begin with a letter, so that the bounds of an array slice ([1:2]) are not taken
// for one; and last `$1`, which must not be mixed with names.
const TOKENS =
  /\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|::|:([a-zA-Z_]\w*)|\$\d+/g

/**
 * Turns the named parameters of a statement (`:dropId`) into the numbered ones of Postgres. A name that is used twice
 * becomes one parameter.
 * @throws Error when the statement has a numbered parameter.
 */
export function compileStatement(text: string): CompiledStatement {
  const names: string[] = []
  const compiled = text.replace(TOKENS, (token: string, _tag: string | undefined, name: string | undefined) => {
    if (/^\$\d/.test(token)) throw new Error(`a statement has the parameter ${token}: parameters have names here`)
    if (name === undefined) return token
    const at = names.indexOf(name)
    return `$${at === -1 ? names.push(name) : at + 1}`
  })
  return { text: compiled, names }
}

/**
 * The values of a compiled statement in its order.
 * @throws Error for a name without a value. `null` is a value; `undefined` is not, because it would hide a misspelt
 * name.
 */
export function valuesOf({ names }: CompiledStatement, parameters: Readonly<Record<string, unknown>>): unknown[] {
  return names.map((name) => {
    const value = parameters[name]
    if (value === undefined) throw new Error(`the parameter :${name} of a statement has no value`)
    return value
  })
}
