// Who may import whom (docs/ARCHITECTURE.md). tests/contract/import-rules.test.ts plants a violation per rule.
// seller-view.ts is one, approve-review.ts and count-view.ts are verbs (tests/contract/vocabulary.test.ts has the prefixes).
const browserSafe = '/(seller-|option-|start-|field-|code-)?(schema|rules|messages|view)\\.ts$'
const domains = [
  'uploads',
  'accounts',
  'moderation',
  'stock',
  'drops',
  'payouts',
  'orders',
  'waitlist',
  'subscriptions',
  'trust',
  'closure',
  'webhooks',
  'admin',
  'previews',
]

/** What stands above the domains of selling. */
const top = ['trust', 'closure', 'webhooks', 'admin', 'previews', 'http', 'client', 'jobs']
const late = ['orders', 'waitlist', 'subscriptions', ...top]

const withoutPreviews = top.filter((name) => name !== 'previews')

/**
 * Each layer and what it must not see: everything to its right.
 * @type {[from: string, to: string[]][]}
 */
const layers = [
  ['kernel', ['infra', 'sandbox', 'plans', 'platform', 'notifications', ...domains, 'http', 'client', 'jobs']],
  ['infra', ['plans', 'platform', 'notifications', ...domains, 'http', 'client', 'jobs']],
  ['sandbox', ['plans', 'platform', 'notifications', ...domains, 'http', 'client', 'jobs']],
  ['plans', ['infra', 'sandbox', 'platform', 'notifications', ...domains, 'http', 'client', 'jobs']],
  ['platform', ['sandbox', 'notifications', ...domains, 'http', 'client', 'jobs']],
  ['uploads', ['sandbox', 'notifications', ...domains.slice(1), 'http', 'client', 'jobs']],
  ['notifications', ['sandbox', ...domains, 'http', 'client', 'jobs']],
  ['accounts', ['sandbox', 'moderation', 'stock', 'drops', 'payouts', ...late]],
  ['moderation', ['sandbox', 'stock', 'drops', 'payouts', ...late]],
  ['stock', ['sandbox', 'accounts', 'moderation', 'drops', 'payouts', ...late]],
  ['drops', ['sandbox', 'payouts', ...late]],
  ['payouts', ['sandbox', ...late]],
  ['orders', ['sandbox', 'waitlist', 'subscriptions', ...top]],
  ['waitlist', ['sandbox', 'subscriptions', ...top]],
  ['subscriptions', ['sandbox', 'orders', 'waitlist', ...top]],
  ['trust', ['sandbox', 'closure', 'webhooks', 'admin', 'previews', 'http', 'client', 'jobs']],
  ['closure', ['sandbox', 'trust', 'webhooks', 'admin', 'previews', 'http', 'client', 'jobs']],
  ['webhooks', ['sandbox', 'admin', 'previews', 'http', 'client', 'jobs']],
  ['admin', ['sandbox', 'previews', 'http', 'client', 'jobs']],
  ['previews', ['sandbox', 'moderation', 'payouts', 'orders', 'waitlist', 'subscriptions', ...withoutPreviews]],
  ['http', ['sandbox', 'client', 'jobs']],
]

const layerRules = layers.map(([from, to]) => ({
  name: `layer-${from}`,
  comment: `lib/${from} must not know what is built on top of it.`,
  severity: 'error',
  from: { path: `^lib/${from}/`, pathNot: from === 'infra' ? '^lib/infra/(stripe|mail)\\.ts$' : undefined },
  to: { path: `^lib/(${to.join('|')})/` },
}))

module.exports = {
  forbidden: [
    ...layerRules.map((rule) => (rule.from.pathNot ? rule : { ...rule, from: { path: rule.from.path } })),
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'layer-server',
      comment:
        'lib/server runs in front of the bundled application, in plain Node: it sees constants and rules, no domain.',
      severity: 'error',
      from: { path: '^lib/server/' },
      to: { path: '^lib/', pathNot: '^lib/(server|kernel)/|^lib/infra/env-rules\\.mjs$' },
    },
    {
      name: 'layer-operations',
      comment: 'lib/operations works on the database and the files of an installation without the application.',
      severity: 'error',
      from: { path: '^lib/operations/' },
      to: { path: '^lib/', pathNot: '^lib/(operations|kernel)/' },
    },
    {
      name: 'layer-artwork',
      comment: 'lib/artwork is run by hand and draws files that are committed.',
      severity: 'error',
      from: { path: '^lib/artwork/' },
      to: { path: '^(app|bench|components|lib|scripts|tests)/', pathNot: '^lib/artwork/' },
    },
    {
      name: 'application-does-not-import-what-runs-it',
      // The rules about money and stock keep no state, and the metrics count how many of them are broken.
      comment: 'The bundle would get a second copy of the server, of its caches and of the operations.',
      severity: 'error',
      // Migrations run beside the application, not in it.
      from: {
        path: '^(app|components|lib|prisma|public)/',
        pathNot: '^lib/(server|operations|artwork)/|^prisma/migrate\\.mjs$',
      },
      to: { path: '^lib/(server|operations|artwork)/', pathNot: '^lib/operations/check-invariants\\.mjs$' },
    },
    {
      name: 'application-does-not-import-its-tools',
      severity: 'error',
      from: { path: '^(app|components|lib|prisma|public)/' },
      to: { path: '^(scripts|bench|tests)/' },
    },
    {
      name: 'plain-node-imports-plain-node',
      comment: 'Node runs .mjs files as they are and cannot load TypeScript.',
      severity: 'error',
      from: { path: '\\.mjs$' },
      to: { path: '\\.tsx?$', pathNot: ['node_modules', '\\.d\\.ts$'] },
    },
    {
      name: 'scripts-need-nothing-installed',
      comment: 'Scripts start before the packages are installed: they load packages by import(), after prepare().',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: 'node_modules', dynamic: false },
    },
    {
      name: 'scripts-drive-and-do-not-decide',
      comment: 'Of lib, scripts see the server, the operations, the kernel and the rules of the environment.',
      severity: 'error',
      from: { path: '^scripts/' },
      to: {
        path: '^(app|bench|components|lib|prisma|tests)/',
        pathNot:
          '^lib/(server|operations|kernel)/|^lib/infra/env-rules\\.mjs$|^prisma/migrate\\.mjs$|^tests/support/app-server\\.mjs$',
      },
    },
    {
      name: 'nothing-imports-app',
      severity: 'error',
      from: { path: '^(lib|components|prisma)/' },
      to: { path: '^app/' },
    },
    {
      name: 'lib-is-not-ui',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^components/' },
    },
    {
      name: 'browser-sees-browser-safe-files-only',
      comment: 'Components and lib/client run in the browser: of a domain they see schema, rules, messages and view.',
      severity: 'error',
      from: { path: '^(components|lib/client)/' },
      to: {
        path: '^lib/(?!kernel/|plans/|client/|help-chat/)',
        pathNot: browserSafe,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'browser-safe-stays-browser-safe',
      severity: 'error',
      from: { path: `^lib/[^/]+${browserSafe}` },
      to: {
        path: '^lib/',
        pathNot: [`^lib/[^/]+${browserSafe}`, '^lib/(kernel|plans)/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'prisma-only-in-infra-db',
      severity: 'error',
      from: { path: '^(app|components|lib)/', pathNot: '^lib/infra/db\\.ts$' },
      to: { path: 'node_modules/(@prisma|\\.prisma)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'postgres-driver-only-in-infra-db',
      comment: 'lib/server and lib/operations have connections of their own, because they run without the application.',
      severity: 'error',
      from: { path: '^(app|components|lib)/', pathNot: '^lib/(infra/(db|transaction-pool)\\.ts$|server/|operations/)' },
      to: { path: 'node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'stripe-only-in-infra-stripe',
      severity: 'error',
      from: { path: '^(app|components|lib)/', pathNot: '^lib/(infra/stripe\\.ts$|sandbox/stripe/|operations/)' },
      to: { path: 'node_modules/stripe/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sandbox-is-loaded-on-demand',
      comment: 'With live keys none of its modules may be loaded, so they are only imported inside functions.',
      severity: 'error',
      from: { path: '^(app|components|lib|prisma)/', pathNot: '^lib/sandbox/' },
      to: { path: '^lib/sandbox/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'domains-take-services-from-their-context',
      comment:
        'A verb that imports the pool or Stripe cannot join a transaction, and tests cannot give it another clock: see lib/infra/context.ts.',
      severity: 'error',
      // Pictures and meta tags are made for a page, outside of any verb.
      from: { path: `^lib/(platform|notifications|${domains.join('|')})/`, pathNot: '^lib/previews/' },
      to: { path: '^lib/infra/(db|stripe|env|clock|log)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'next-request-state-not-in-domains',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/(http|client)/' },
      to: { path: 'node_modules/next/(headers|navigation|server|cache)' },
    },
    {
      name: 'ui-primitives-are-product-agnostic',
      severity: 'error',
      from: { path: '^components/ui/' },
      to: { path: '^(lib/(?!client/)|components/(?!ui/))' },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: { pathNot: '^tests/contract/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(\\.test\\.tsx?$|^\\.next)' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
