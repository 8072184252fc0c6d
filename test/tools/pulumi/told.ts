import { blinded, type Property, wrapped } from './property.ts';
import type { Properties, Recorded } from './stack.ts';
import type { Step } from './steps.ts';

/** How a run is told: as one document at its end, as events of one line, or as events over several lines. */
export type Form = 'document' | 'stream' | 'wide';

export interface Teller {
  begun(step: Step): void;
  ended(step: Step, made?: Recorded, op?: string): void;
  failed(step: Step): void;
  says(severity: string, message: string, urn?: string): void;
  close(result: 'succeeded' | 'failed', rootOutputs?: { readonly urn: string; readonly old: Properties; readonly now?: Properties }): void;
}

interface Telling {
  readonly form: Form;
  readonly planning: boolean;
  readonly config: Properties;
  readonly write: (text: string) => void;
  readonly omits?: string | undefined;
  /** A refresh alone counts what it found; one beside an update does not. */
  readonly refreshes?: boolean;
}

/** Writes what Pulumi 3.259 writes of a run, in the shapes of the recordings. */
export function openTeller({ form, planning, config, write, omits, refreshes = false }: Telling): Teller {
  let sequence = 0;
  const counts = new Map<string, number>();
  const steps: object[] = [];
  const diagnostics: object[] = [];
  const emit = (event: object): void => {
    if (form === 'document') return;
    write(`${JSON.stringify({ sequence: sequence++, timestamp: 1796005154, ...event }, null, form === 'wide' ? 4 : undefined)}\n`);
  };
  const marked = planning ? { planning: true } : {};
  const shown = (name: string): boolean => omits === undefined || !name.endsWith(`::${omits}`);
  emit({ preludeEvent: { config: Object.fromEntries(Object.entries(config).map(([name, value]) => [name, blinded(value)])) } });

  function tell(kind: string, step: Step, made?: Recorded, op = step.op): void {
    if (shown(step.urn)) emit({ [kind]: { metadata: { ...metadata(step, made), op }, ...marked } });
  }

  return {
    begun(step) {
      if (step.op !== 'delete-replaced' && step.op !== 'create-replacement' && step.op !== 'refresh') counts.set(step.op, (counts.get(step.op) ?? 0) + 1);
      if (step.op !== 'same' || step.type === 'pulumi:pulumi:Stack') if (!step.op.includes('-')) steps.push(documentStep(step));
      tell('resourcePreEvent', step);
    },
    ended(step, made, op = step.op) {
      if (step.op === 'refresh' && refreshes) counts.set(op, (counts.get(op) ?? 0) + 1);
      tell('resOutputsEvent', step, made, op);
    },
    failed: (step) => emit({ resOpFailedEvent: { metadata: metadata(step), status: 0, steps: 1 } }),
    says(severity, message, urn) {
      diagnostics.push({ ...(urn === undefined ? {} : { urn }), message: `${message}\n`, severity });
      emit({ diagnosticEvent: { ...(urn === undefined ? {} : { urn }), message: `${message}\n`, color: 'never', severity } });
    },
    close(result, root) {
      if (root !== undefined) {
        const [old, now] = [stateAt(root.urn, { outputs: root.old }), root.now === undefined ? null : stateAt(root.urn, { outputs: root.now })];
        emit({
          resOutputsEvent: {
            metadata: { op: now === null ? 'delete' : 'same', urn: root.urn, type: 'pulumi:pulumi:Stack', old, new: now, detailedDiff: null },
            ...marked,
          },
        });
      }
      const changes = Object.fromEntries(counts);
      emit({ summaryEvent: { maybeCorrupt: false, durationSeconds: 1, resourceChanges: changes, PolicyPacks: {}, isPreview: planning, result } });
      emit({ cancelEvent: {} });
      const rest = diagnostics.length === 0 ? {} : { diagnostics };
      if (form === 'document')
        write(`${JSON.stringify({ config: blinded(config as Property), steps, ...rest, duration: 1, changeSummary: changes }, null, 4)}\n`);
    },
  };
}

function metadata(step: Step, made?: Recorded): object {
  const old = step.old === undefined ? null : stateAt(step.old.urn, step.old);
  const now = removes(step.op)
    ? null
    : stateAt(step.urn, { custom: step.custom, id: made?.id ?? '', inputs: made?.inputs ?? step.inputs ?? {}, outputs: made?.outputs ?? {} });
  return {
    op: step.op,
    urn: step.urn,
    type: step.type,
    old,
    new: now,
    ...(step.keys === undefined ? {} : { keys: step.keys }),
    detailedDiff: null,
    provider: '',
  };
}

const removes = (op: string): boolean => op === 'delete' || op === 'delete-replaced';

function stateAt(urn: string, state: Partial<Recorded>): object {
  const { custom, id = '', inputs = {}, outputs = {}, retainOnDelete, delete: left } = state;
  return {
    type: urn.split('::')[2]?.split('$').at(-1),
    urn,
    ...(custom === true ? { custom } : {}),
    ...(left === true ? { delete: left } : {}),
    ...(retainOnDelete === true ? { retainOnDelete } : {}),
    id,
    parent: '',
    inputs: wrapped(inputs as Property),
    outputs: wrapped(outputs as Property),
    provider: '',
  };
}

function documentStep(step: Step): object {
  const state = ({ urn, id = '', inputs = {}, outputs }: Partial<Recorded>): object => ({
    urn,
    custom: step.custom,
    ...(id === '' ? {} : { id }),
    type: step.type,
    inputs: blinded(inputs as Property),
    ...(outputs === undefined ? {} : { outputs: blinded(outputs as Property) }),
  });
  return {
    op: step.op,
    urn: step.urn,
    ...(step.old === undefined ? {} : { oldState: state(step.old) }),
    ...(removes(step.op) ? {} : { newState: state({ urn: step.urn, inputs: step.inputs ?? {} }) }),
    ...(step.keys === undefined ? {} : { replaceReasons: step.keys }),
    detailedDiff: null,
  };
}
