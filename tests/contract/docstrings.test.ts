// Checks that every exported function of lib/ has a docstring, because a caller in another folder reads the name, the
// types and the docstring, and not the body. What a docstring should say is in CONTRIBUTING.md#rules.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

const files = readdirSync('lib', { recursive: true, encoding: 'utf8' })
  .map((name) => path.posix.join('lib', name.split(path.sep).join('/')))
  .filter((file) => /\.(tsx?|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file))

const kindOf = (file: string) =>
  file.endsWith('.mjs') ? ts.ScriptKind.JS : file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS

/** Whether an initializer is a function, possibly inside parentheses or a cast. */
function isFunction(node: ts.Expression | undefined): boolean {
  if (!node) return false
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    return isFunction(node.expression)
  }
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node)
}

/** Returns the names of the functions that a statement declares. */
function functionsOf(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement)) return [statement.name?.text ?? 'default']
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations
    .filter(({ initializer }) => isFunction(initializer))
    .map(({ name }) => name.getText())
}

const isExported = (statement: ts.Statement) =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** Returns how many exported functions a file has, and the names of those without a docstring. */
function readFunctions(file: string, text: string): { count: number; bare: string[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kindOf(file))
  const exported = source.statements.filter(isExported)
  const bare = exported.filter((statement) => ts.getJSDocCommentsAndTags(statement).length === 0)
  return { count: exported.flatMap(functionsOf).length, bare: bare.flatMap(functionsOf) }
}

test('every exported function of lib/ has a docstring', () => {
  const found = files.map((file) => ({ file, ...readFunctions(file, readFileSync(file, 'utf8')) }))
  expect(found.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(1_000)
  expect(found.flatMap(({ file, bare }) => bare.map((name) => `${file}: ${name}`))).toEqual([])
})

test.each([
  ['a function', 'export function markShipped() {}', ['markShipped']],
  [
    'an asynchronous function after a line comment',
    '// Soon.\nexport async function markShipped() {}',
    ['markShipped'],
  ],
  ['a constant', 'export const markShipped = (id: string) => id', ['markShipped']],
  ['a constant in parentheses', 'export const markShipped = (async () => 1) as never', ['markShipped']],
  ['only the second function', '/** Ships. */\nexport function ship() {}\nexport function send() {}', ['send']],
  ['no function with a docstring', '/** Ships. */\nexport const ship = () => 1', []],
  ['no function that is not exported', 'function ship() {}\nexport const parcels = [1]', []],
])('finds %s', (_what, text, names) => expect(readFunctions('lib/orders/planted.ts', text).bare).toEqual(names))
