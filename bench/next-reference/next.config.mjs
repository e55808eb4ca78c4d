// The reference application of `npm run bench` contains only Next's route handlers, each around a single statement.
const config = { serverExternalPackages: ['pg', 'stripe'], typescript: { ignoreBuildErrors: true }, agentRules: false }

export default config
