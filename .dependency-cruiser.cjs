/**
 * Who may know whom. test/rules plants an offender for each rule and expects it to be caught. Circular imports are Biome's to
 * find (noImportCycles): the parser used here cannot tell an import of types alone from one that runs.
 */
const tests = '\\.(test|fixture)\\.ts$';
const outside = '(^|/)node_modules/(@aws-sdk|@smithy|@octokit)/|^@(aws-sdk|smithy|octokit)/';
const domain = '^shared/(engine|lease|ledger|run|intake|plan|policy|yaml|receipts|drift|redact|table|ports|errors|secrets)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'not-resolved',
      comment: 'An import that leads nowhere hides every rule behind it. (aws-lambda is a package of types; lockkeeper/adapter is what this package exports.)',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(aws-lambda$|lockkeeper/adapter)' },
    },
    {
      name: 'domain-knows-no-cloud',
      comment: 'Only platform, adapters and surfaces speak to AWS or GitHub; the rest of the domain sees ports.',
      severity: 'error',
      from: { path: '^(shared|events)/', pathNot: ['^shared/(platform|adapters|surfaces)/', tests] },
      to: { path: outside },
    },
    {
      name: 'domain-knows-no-outside',
      comment: 'The domain is used by functions and infrastructure and never the other way round.',
      severity: 'error',
      from: { path: '^(shared|events)/', pathNot: tests },
      to: { path: '^(functions|infra|test)/' },
    },
    {
      name: 'engine-knows-no-adapter',
      comment: 'The engine sees an adapter only through the Op contract; the composition root puts the two together.',
      severity: 'error',
      from: { path: domain, pathNot: tests },
      to: { path: '^shared/(adapters|platform)/' },
    },
    {
      name: 'only-a-run-publishes',
      comment: 'What people are shown is rendered when a run reports, or when an event can start none; nothing below knows that anybody looks.',
      severity: 'error',
      from: { path: domain, pathNot: ['^shared/(run|intake)/', tests] },
      to: { path: '^shared/surfaces/' },
    },
    {
      name: 'adapters-know-no-engine-parts',
      comment: 'An adapter is given what it needs in a call: of the engine it knows the contract and the values.',
      severity: 'error',
      from: { path: '^shared/adapters/', pathNot: tests },
      to: { path: '^shared/(lease|ledger|run|receipts|drift|table|platform|surfaces)/' },
    },
    {
      name: 'fakes-share-nothing-with-adapters',
      comment: 'A misunderstanding of a provider must not be encoded twice.',
      severity: 'error',
      from: { path: '^test/sim/' },
      to: { path: '^shared/(adapters|surfaces)/' },
    },
    {
      name: 'adapters-share-nothing-with-fakes',
      comment: 'Nor may an adapter be made to fit its fake. Their tests may start one.',
      severity: 'error',
      from: { path: '^shared/(adapters|surfaces)/', pathNot: tests },
      to: { path: '^test/' },
    },
    {
      name: 'local-is-known-to-nobody',
      comment: 'Everything talks to AWS through the ordinary clients; only the command line and tests start the embedded stack.',
      severity: 'error',
      from: { path: '^(functions|infra|shared|events)/', pathNot: ['^infra/local/', '^functions/cli/', tests] },
      to: { path: '^infra/local/' },
    },
    {
      name: 'webhook-stays-small',
      comment: 'It verifies, records, queues and answers: no adapter, no engine, no CDK in its bundle, through whatever file.',
      severity: 'error',
      from: { path: '^functions/(github-webhook|slack-interaction)/', pathNot: tests },
      to: { path: ['^shared/(adapters|engine|surfaces)/', '^infra/'], reachable: true },
    },
    {
      name: 'functions-know-no-infrastructure',
      comment: 'A handler reads its variables; who set them is none of its business. The command line starts the stack.',
      severity: 'error',
      from: { path: '^functions/', pathNot: ['^functions/cli/', tests] },
      to: { path: '^infra/' },
    },
    {
      name: 'tests-stay-out-of-the-product',
      comment: 'What is deployed imports nothing of test/. The command line may start the fakes (--sim).',
      severity: 'error',
      from: { path: '^(functions|infra)/', pathNot: ['^functions/cli/', tests] },
      to: { path: '^test/|\\.(test|fixture)\\.ts$' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|cdk\\.out|coverage)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
