// The reference application of `npm run bench`: Next's route handlers around single statements, and nothing else.
export default { serverExternalPackages: ['pg'], typescript: { ignoreBuildErrors: true }, agentRules: false }
