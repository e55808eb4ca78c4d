// The rules that say which file may import which (docs/ARCHITECTURE.md). tests/contract/import-rules.test.ts breaks
// each rule at least once and checks that the violation is found.

// The files of a domain that browsers may load. For example, seller-view.ts is one of them, and count-view.ts is not,
// because its prefix is not in this list. A new prefix also goes into tests/contract/vocabulary.test.ts.
const browserSafe =
  '/(seller-|analytics-|option-|start-|field-|filter-|task-|detail-|code-|history-|edition-|open-|key-|passkey-|ship-|zone-|country-|late-|address-|early-|edit-|limit-|line-|wallet-|dispute-|refund-|demand-|share-|buyer-|unit-|answer-|plain-)?(schema|rules|messages|view)\\.ts$'
/** The browser-safe files of every domain, also in the folders for its topics. */
const inDomains = [`^lib/[^/]+${browserSafe}`, `^lib/(?!sandbox/)[^/]+/[^/]+${browserSafe}`]
const domains = [
  'uploads',
  'accounts',
  'moderation',
  'stock',
  'drops',
  'profiles',
  'traders',
  'payouts',
  'orders',
  'refunds',
  'shipping',
  'checkout',
  'waitlist',
  'followers',
  'subscriptions',
  'trust',
  'closure',
  'webhooks',
  'admin',
  'previews',
]

/** The layers above the domains that sell. */
const top = ['trust', 'closure', 'webhooks', 'admin', 'previews', 'http', 'client', 'help-chat', 'jobs']
/** The rooms of an order, the lowest first. Shipping and checkout do not know each other. */
const ordering = ['orders', 'refunds', 'shipping', 'checkout']
const selling = [...ordering, 'waitlist', 'followers', 'subscriptions', ...top]
const late = ['profiles', 'traders', ...selling]

const withoutPreviews = top.filter((name) => name !== 'previews')

/**
 * Each layer, and the folders that it must not import.
 * @type {[from: string, to: string[]][]}
 */
const layers = [
  [
    'kernel',
    ['infra', 'sandbox', 'plans', 'platform', 'notifications', ...domains, 'http', 'client', 'help-chat', 'jobs'],
  ],
  ['infra', ['plans', 'platform', 'notifications', ...domains, 'http', 'client', 'help-chat', 'jobs']],
  ['sandbox', ['infra', 'plans', 'platform', 'notifications', ...domains, 'http', 'client', 'help-chat', 'jobs']],
  ['plans', ['infra', 'sandbox', 'platform', 'notifications', ...domains, 'http', 'client', 'help-chat', 'jobs']],
  ['platform', ['sandbox', 'notifications', ...domains, 'http', 'client', 'help-chat', 'jobs']],
  ['uploads', ['sandbox', 'notifications', ...domains.slice(1), 'http', 'client', 'help-chat', 'jobs']],
  ['notifications', ['sandbox', ...domains, 'http', 'client', 'help-chat', 'jobs']],
  ['accounts', ['sandbox', 'moderation', 'stock', 'drops', 'payouts', ...late]],
  ['moderation', ['sandbox', 'stock', 'drops', 'payouts', ...late]],
  ['stock', ['sandbox', 'accounts', 'moderation', 'drops', 'payouts', ...late]],
  ['drops', ['sandbox', 'payouts', ...late]],
  ['profiles', ['sandbox', 'payouts', 'traders', ...selling]],
  ['traders', ['sandbox', 'drops', 'profiles', 'payouts', ...selling]],
  ['payouts', ['sandbox', ...late]],
  ['orders', ['sandbox', 'profiles', ...ordering.slice(1), 'waitlist', 'followers', 'subscriptions', ...top]],
  ['refunds', ['sandbox', 'profiles', 'shipping', 'checkout', 'waitlist', 'followers', 'subscriptions', ...top]],
  ['shipping', ['sandbox', 'profiles', 'checkout', 'waitlist', 'followers', 'subscriptions', ...top]],
  ['checkout', ['sandbox', 'profiles', 'shipping', 'waitlist', 'followers', 'subscriptions', ...top]],
  ['waitlist', ['sandbox', 'profiles', 'refunds', 'shipping', 'followers', 'subscriptions', ...top]],
  ['followers', ['sandbox', 'profiles', 'traders', 'payouts', ...ordering, 'waitlist', 'subscriptions', ...top]],
  ['subscriptions', ['sandbox', 'profiles', 'traders', ...ordering, 'waitlist', 'followers', ...top]],
  ['trust', ['sandbox', 'closure', 'webhooks', 'admin', 'previews', 'http', 'client', 'help-chat', 'jobs']],
  ['closure', ['sandbox', 'trust', 'webhooks', 'admin', 'previews', 'http', 'client', 'help-chat', 'jobs']],
  ['webhooks', ['sandbox', 'admin', 'previews', 'http', 'client', 'help-chat', 'jobs']],
  ['admin', ['sandbox', 'previews', 'http', 'client', 'help-chat', 'jobs']],
  [
    'previews',
    [
      'sandbox',
      'moderation',
      'traders',
      'payouts',
      ...ordering,
      'waitlist',
      'followers',
      'subscriptions',
      ...withoutPreviews,
    ],
  ],
  ['http', ['sandbox', 'previews', 'client', 'help-chat', 'jobs']],
  ['jobs', ['client', 'help-chat']],
]

const layerRules = layers.map(([from, to]) => ({
  name: `layer-${from}`,
  comment: `lib/${from} must not import what is built on top of it.`,
  severity: 'error',
  from: { path: `^lib/${from}/` },
  to: { path: `^lib/(${to.join('|')})/` },
}))

module.exports = {
  forbidden: [
    ...layerRules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'layer-server',
      comment:
        'lib/server runs in front of the bundled application, in plain Node: it may import constants and rules, but no domain.',
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
      // check-invariants.mjs is allowed, because it keeps no state and the metrics report the rules that it finds
      // broken.
      comment: 'The bundle would get a second copy of the server, of its caches and of the operations.',
      severity: 'error',
      // migrate.mjs is left out, because the application does not import it.
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
      comment:
        'From lib, scripts may import only the server, the operations, the kernel and the rules of the environment.',
      severity: 'error',
      from: { path: '^scripts/' },
      to: {
        path: '^(app|bench|components|lib|prisma|tests)/',
        pathNot:
          '^lib/(server|operations|kernel)/|^lib/infra/env-rules\\.mjs$|^prisma/migrate\\.mjs$|^tests/support/start-app\\.mjs$',
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
      comment:
        'Components and lib/client run in the browser: from a domain they may import only schema, rules, messages and view.',
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
      from: { path: inDomains },
      to: {
        path: '^lib/',
        pathNot: [...inDomains, '^lib/(kernel|plans)/'],
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
      comment: 'With live keys none of its modules may be loaded, so they are imported only inside functions.',
      severity: 'error',
      from: { path: '^(app|components|lib|prisma)/', pathNot: '^lib/sandbox/' },
      to: { path: '^lib/sandbox/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'domains-take-services-from-their-context',
      comment:
        'A write that imports the pool or Stripe cannot join a transaction, and tests cannot replace its clock: see lib/infra/context.ts.',
      severity: 'error',
      // lib/previews is left out, because it describes pages for other programs (pictures, meta tags, sitemaps) and is
      // not part of a write.
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
