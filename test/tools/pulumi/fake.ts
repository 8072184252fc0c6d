import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Project, projectIn, setConfig } from './program.ts';
import { blinded, disclosed, inClear, type Property, unknown } from './property.ts';
import { planOf, type SavedPlan, unmet, violation } from './saved.ts';
import { type Backend, openBackend, type Properties, type Recorded, type StackState } from './stack.ts';
import { linked, nameOf, rootUrn, type Step, stepsTo, urnOf } from './steps.ts';
import { type Form, openTeller, type Teller } from './told.ts';

/** One call of the program. */
export interface FakeCall {
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Waits until somebody ends the process. */
  readonly hang?: () => Promise<void>;
  readonly die?: () => void;
}

/** Ends the call with a complaint on standard error. */
class Complaint extends Error {
  readonly exit: number;

  constructor(message: string, exit = 255) {
    super(message);
    this.exit = exit;
  }
}

/**
 * A Pulumi that is none: it keeps a stack and a world in a folder (`PULUMI_BACKEND_URL=file://…`), runs programs of a few lines of YAML, and
 * writes what Pulumi 3.259.0 was recorded to write (`fake.test.ts` holds the two against each other). It errs as the backend's `mischief` says.
 *
 * Assumed, since no recording shows it: what `destroy`, `install`, `config set`, `stack export` and `stack output` write; that `up --refresh`
 * tells what it read as `refresh` beforehand and counts none of it; that a saved plan made with `--refresh` is kept to by `up --refresh`; exits
 * beside 0, 1 and 6.
 *
 * @returns the exit status.
 */
export async function fakePulumi(call: FakeCall): Promise<number> {
  const url = call.environment['PULUMI_BACKEND_URL'];
  try {
    if (url === undefined && call.args[0] === 'version') return said(call.stdout, 'v3.259.0\n');
    if (url === undefined) throw new Complaint('PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions');
    return await command(call, openBackend(fileURLToPath(url)));
  } catch (thrown) {
    if (!(thrown instanceof Complaint)) throw thrown;
    call.stderr(`error: ${thrown.message}\n`);
    return thrown.exit;
  }
}

async function command(call: FakeCall, backend: Backend): Promise<number> {
  const { args, stdout, stderr } = call;
  const [name = '', second = ''] = args;
  const { mischief } = backend;
  const played = mischief.plays?.[name === 'stack' || (name === 'destroy' && args.includes('--preview-only')) ? `${name} ${second.replace(/^--/, '')}` : name];
  const flag = args.find((one) => mischief.unknownFlags?.includes(one));
  if (flag !== undefined) throw new Complaint(`unknown flag: ${flag}`);
  if (played !== undefined) {
    if (played.stdout !== undefined) stdout(played.stdout);
    for (let left = played.bytes ?? 0; left > 0; left -= 65_536) stdout('x'.repeat(Math.min(left, 65_536)));
    if (played.stderr !== undefined) stderr(played.stderr);
    return played.exit;
  }
  if (mischief.meanwhile?.before === name) {
    const { name: edited, outputs } = mischief.meanwhile;
    const world = backend.world();
    backend.setWorld({ ...world, [edited]: { ...world[edited], ...outputs } });
  }
  if (name === 'version') return said(stdout, `v${mischief.version ?? '3.259.0'}\n`);
  if (name === 'install') return said(stdout, 'Finished installing dependencies\n');
  const stack = flagValue(args, '--stack') ?? '';
  const state = backend.read(stack);
  if (state === undefined) throw new Complaint(`no stack named '${stack}' found`, 6);
  if ((mischief.passphrase ?? '') !== (call.environment['PULUMI_CONFIG_PASSPHRASE'] ?? ''))
    throw new Complaint('getting stack configuration: get stack secrets manager: incorrect passphrase', 1);
  if (name === 'stack') return said(stdout, `${JSON.stringify(second === 'export' ? exported(state, args) : outputs(state, args), null, 4)}\n`);
  const project = projectIn(call.folder, stack);
  if (project === undefined) throw new Complaint('no Pulumi.yaml project file found');
  if (name === 'config') return configured(call, project, stack);
  const run: Run = { call, backend, project, stack, state };
  if (name === 'refresh') return refreshed(run);
  if (name === 'preview') return previewed(run, false);
  if (name === 'up') return updated(run, false);
  if (name === 'destroy') return args.includes('--preview-only') ? previewed(run, true) : updated(run, true);
  throw new Complaint(`unknown command "${name}" for "pulumi"`);
}

const said = (write: (text: string) => void, text: string): number => {
  write(text);
  return 0;
};

const flagValue = (args: readonly string[], flag: string): string | undefined => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);

interface Run {
  readonly call: FakeCall;
  readonly backend: Backend;
  readonly project: Project;
  readonly stack: string;
  readonly state: StackState;
}

const exported = ({ resources, pending }: StackState, args: readonly string[]): object => ({
  version: 3,
  deployment: {
    manifest: { time: '2026-11-30T20:00:00Z', magic: 'm', version: 'v3.259.0' },
    resources: args.includes('--show-secrets') ? disclosed(resources as unknown as Property) : resources,
    pending_operations: pending.map((urn) => ({ resource: { urn }, type: 'creating' })),
  },
});

const outputs = (state: StackState, args: readonly string[]): Property => (args.includes('--show-secrets') ? inClear : blinded)(state.outputs as Property);

function configured({ args, folder, input }: FakeCall, project: Project, stack: string): number {
  const name = args.at(-1) ?? '';
  setConfig(folder, stack, project.name, name, input.replace(/\n$/, ''), args.includes('--secret'));
  return 0;
}

const streams = ({ environment }: FakeCall): Form => (environment['PULUMI_ENABLE_STREAMING_JSON_PREVIEW'] === 'true' ? 'stream' : 'document');

const tellerOf = ({ call, project, backend }: Run, form: Form, planning: boolean): Teller => {
  const config = Object.fromEntries(Object.entries(project.config).map(([name, value]) => [name.includes(':') ? name : `${project.name}:${name}`, value]));
  return openTeller({
    form,
    planning,
    config,
    write: call.stdout,
    omits: planning ? undefined : backend.mischief.omits,
    refreshes: call.args[0] === 'refresh',
  });
};

const rootStep = ({ stack, project }: Run): Step => ({ op: 'same', urn: rootUrn(stack, project.name), type: 'pulumi:pulumi:Stack', custom: false });

/** What is live against what is recorded. Nothing is written. */
function refreshed(run: Run): number {
  const { call, backend, state } = run;
  const { unreadable = [], unreached = [] } = backend.mischief;
  const target = flagValue(call.args, '--target');
  const teller = tellerOf(run, streams(call), true);
  let failed = false;
  for (const old of state.resources.filter(({ urn }) => target === undefined || urn === target)) {
    const step: Step = { op: 'refresh', urn: old.urn, type: old.type, custom: old.custom, old, inputs: old.inputs };
    const name = nameOf(old.urn);
    teller.begun(step);
    if (unreadable.includes(name)) {
      teller.says('error', `Preview failed: cannot read ${name}`, old.urn);
      failed = true;
    } else if (target === undefined && unreached.includes(name)) failed = true;
    else {
      const live = old.custom ? backend.world()[name] : old.outputs;
      const op = live === undefined ? 'delete' : JSON.stringify(live) === JSON.stringify(old.outputs) ? 'same' : 'update';
      teller.ended(step, live === undefined ? undefined : { ...old, outputs: live }, op);
    }
  }
  if (failed) teller.says('error', 'preview failed');
  teller.close(failed ? 'failed' : 'succeeded');
  return failed ? 255 : 0;
}

/** The state as it is when what is live was read into it. */
function readIn({ backend, state }: Run): StackState {
  const world = backend.world();
  const live = state.resources.flatMap((one) => {
    if (!one.custom) return [one];
    const found = world[nameOf(one.urn)];
    return found === undefined ? [] : [{ ...one, outputs: found }];
  });
  return { ...state, resources: live };
}

function previewed(run: Run, destroys: boolean): number {
  const { call, project, stack } = run;
  const state = call.args.includes('--refresh') ? readIn(run) : run.state;
  const teller = tellerOf(run, streams(call), true);
  const steps = stepsTo(project, stack, state, destroys);
  const fault = tellAhead(run, teller, steps, state, { destroys });
  const file = flagValue(call.args, '--save-plan');
  if (fault === undefined && file !== undefined) writeFileSync(file, JSON.stringify(planOf(steps)));
  return fault === undefined ? 0 : 255;
}

interface Ahead {
  readonly destroys: boolean;
  readonly plan?: SavedPlan | undefined;
}

/** Tells what would be done; a step that is to fail as `preview:<name>`, or with `--refresh` as `refresh:<name>`, fails here. */
function tellAhead(run: Run, teller: Teller, steps: readonly Step[], state: StackState, { destroys, plan }: Ahead): string | undefined {
  const { backend, project, stack } = run;
  teller.begun(rootStep(run));
  for (const step of steps) {
    const fault =
      backend.mischief.fails?.[`${run.call.args.includes('--refresh') ? 'refresh' : 'preview'}:${nameOf(step.urn)}`] ??
      (plan === undefined ? undefined : violation(plan, step));
    if (fault !== undefined) {
      teller.says('error', `error: ${fault}`, step.urn);
      teller.close('failed');
      return fault;
    }
    teller.begun(step);
    teller.ended(step);
  }
  const unseen = plan === undefined ? undefined : unmet(plan, steps);
  if (unseen !== undefined) teller.says('error', `error: ${unseen.fault}`, unseen.urn);
  teller.close(unseen === undefined ? 'succeeded' : 'failed', {
    urn: rootUrn(stack, project.name),
    old: state.outputs,
    ...(destroys ? {} : { now: outputsOf(run, state, steps) }),
  });
  return unseen?.fault;
}

function outputsOf({ project, stack }: Run, state: StackState, ahead: readonly Step[] = []): Properties {
  const pending = new Set(ahead.filter(({ op }) => op.startsWith('create')).map(({ urn }) => urn));
  const known = { ...state, resources: state.resources.map((one) => (pending.has(one.urn) ? { ...one, id: unknown, outputs: {} } : one)) };
  return linked(project.outputs as Property, project, stack, known) as Properties;
}

async function updated(run: Run, destroys: boolean): Promise<number> {
  const { call, backend, project, stack } = run;
  const { locked } = backend.mischief;
  if (locked !== undefined)
    throw new Complaint(
      `the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.\n  ${locked}`,
    );
  const refreshes = call.args.includes('--refresh');
  let state = refreshes ? readIn(run) : run.state;
  const steps = stepsTo(project, stack, state, destroys);
  const file = flagValue(call.args, '--plan');
  const plan = file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as SavedPlan);
  if (!call.args.includes('--skip-preview') && tellAhead(run, tellerOf(run, 'document', true), steps, state, { destroys, plan }) !== undefined) return 255;
  const teller = tellerOf(run, 'wide', false);
  if (refreshes)
    for (const old of run.state.resources) {
      const step: Step = { op: 'refresh', urn: old.urn, type: old.type, custom: old.custom, old, inputs: old.inputs };
      teller.begun(step);
      teller.ended(step, old, 'update');
    }
  teller.begun(rootStep(run));
  const before = state.outputs;
  for (const planned of steps) {
    const step = planned.inputs === undefined ? planned : { ...planned, inputs: linked(wanted(run, planned), project, stack, state) as Properties };
    const key = `${step.op}:${nameOf(step.urn)}`;
    const fault = (plan === undefined ? undefined : violation(plan, step)) ?? backend.mischief.fails?.[key];
    teller.begun(step);
    if (backend.mischief.dies === key) {
      backend.write(stack, { ...state, pending: [step.urn] });
      call.die?.();
      return 137;
    }
    if (backend.mischief.hangs === key) {
      backend.write(stack, state);
      backend.note('hangs');
      await call.hang?.();
      teller.says('error', 'update canceled');
      teller.close('failed');
      return 1;
    }
    if (fault !== undefined) {
      teller.says('error', `error: ${fault}`, step.urn);
      teller.failed(step);
      teller.close('failed');
      backend.write(stack, state);
      return 255;
    }
    const { next, made } = done(run, state, step);
    state = next;
    teller.ended(step, made);
  }
  const now = destroys ? undefined : outputsOf({ ...run, state }, state);
  backend.write(stack, { ...state, outputs: now ?? {}, pending: [] });
  teller.close('succeeded', { urn: rootUrn(stack, project.name), old: before, ...(now === undefined ? {} : { now }) });
  return 0;
}

function wanted({ project, stack }: Run, step: Step): Property {
  const one = project.resources.find(({ type, name }) => urnOf(stack, project.name, type, name) === step.urn);
  return (one?.inputs ?? step.inputs ?? {}) as Property;
}

/** One step, done in the world and in the state. */
function done({ backend }: Run, state: StackState, step: Step): { readonly next: StackState; readonly made?: Recorded } {
  const world = backend.world();
  const name = nameOf(step.urn);
  if (step.op === 'same' || step.op === 'replace') return { next: state };
  if (step.op === 'delete' || step.op === 'delete-replaced') {
    const { [name]: _, ...rest } = world;
    const gone = state.resources.filter((one) => !(one.urn === step.urn && one.id === step.old?.id));
    if (step.retains !== true && step.custom && !gone.some(({ urn }) => urn === step.urn)) backend.setWorld(rest);
    return { next: { ...state, resources: gone } };
  }
  const inputs = step.inputs ?? {};
  const id = step.op === 'update' ? (step.old?.id ?? name) : `${name}-${state.resources.length + 1}`;
  const recorded = { urn: step.urn, type: step.type, custom: step.custom, id: step.custom ? id : '', inputs, outputs: inputs };
  const made: Recorded = { ...recorded, ...(step.retains === true ? { retainOnDelete: true } : {}) };
  if (step.custom) backend.setWorld({ ...world, [name]: inputs });
  const others = state.resources.map((one) => (one.urn === step.urn && step.op === 'create-replacement' ? { ...one, delete: true } : one));
  return { next: { ...state, resources: [...others.filter((one) => one.urn !== step.urn || one.delete === true), made] }, made };
}
