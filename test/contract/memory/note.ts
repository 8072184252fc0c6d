import {
  type Applied,
  fieldHashes,
  invalid,
  keyText,
  known,
  type LiveResource,
  type Op,
  type OpCall,
  oneValue,
  path,
  type Reading,
  type ResolvedParams,
  type ResourceChange,
  refusedAsExisting,
  sideOf,
  stateDigest,
  type Value,
  value,
} from 'lockkeeper/adapter';
import { z } from 'zod';

const noteRecord = z.object({ id: z.string(), title: z.string(), text: z.string() });
type NoteRecord = z.infer<typeof noteRecord>;
const noteList = z.object({ items: z.array(noteRecord), next: z.string().nullish() });

/** What a read found. */
interface Live {
  readonly found?: NoteRecord;
}

/** `notes.note`: one note of a notebook. Its title names it, its text may be a secret. */
export const note: Op<Live> = {
  adapter: 'notes',
  name: 'note',
  version: 1,
  credentials: [{ variable: 'NOTES_TOKEN', createAt: 'https://notes.example/settings/tokens' }],
  baseUrl: { variable: 'NOTES_API_URL', default: 'https://api.notes.example' },
  provider: z.strictObject({ notebook: z.string().min(1).describe("The notebook's id.") }),
  params: z.strictObject({
    title: value(z.string().min(1)).describe('What the note is called.'),
    text: value(z.string()).describe('What it says.'),
  }),
  outputs: { id: { available: 'immediate', about: "The note's id." } },
  keyParams: ['title'],
  nothingLive: {},
  defaults: (params) => params,
  writesEnvironment: () => undefined,
  // Part of the identity of every note: two notebooks may hold notes of one title.
  identity: async ({ provider }) => ({ notebook: String(provider['notebook']) }),
  read,
  diff,
  apply,
  // By its id; by its key where an interrupted create left no id.
  lookup: async ({ id, key }, call) => {
    const found = (await notesOf(call)).find((one) => (id === undefined ? keyOf(one.title) === key : one.id === id));
    return found && { ...resourceOf(found), key };
  },
  destroy: async ({ id }, call) => {
    // What is gone is destroyed already.
    if ((await notesOf(call)).some((one) => one.id === id))
      await call.http.send({ method: 'DELETE', path: `${placeOf(call)}${path`/${id}`}`, answer: z.unknown() });
  },
  list: async (_params, call) => (await notesOf(call)).map(resourceOf),
};

const keyOf = (title: string): string => `note:${title}`;
const labelOf = (title: string): string => `Note ${title}`;
const hashOf = (title: string, text: string): string => stateDigest({ title, text });
const resourceOf = ({ id, title, text }: NoteRecord): LiveResource => ({ key: keyOf(title), id, hash: hashOf(title, text), label: labelOf(title) });

async function read(params: ResolvedParams, call: OpCall): Promise<Reading<Live>> {
  const title = keyText(params, 'title');
  const found = (await notesOf(call)).find((one) => one.title === title);
  return found ? { resources: [resourceOf(found)], outputs: { id: found.id }, live: { found } } : { resources: [], outputs: {}, live: {} };
}

function diff(params: ResolvedParams, { live: { found } }: Reading<Live>): readonly ResourceChange[] {
  const title = keyText(params, 'title');
  const text = textOf(params);
  // What another line has yet to give is pending: no hash can be foretold for it.
  const hash = text.kind === 'known' ? { hash: hashOf(title, known(text, 'text')) } : {};
  const change = { key: keyOf(title), label: labelOf(title), ...hash };
  if (found && text.kind === 'known' && found.text === known(text, 'text')) return [{ ...change, kind: 'unchanged', fields: [] }];
  // What is there may be a secret that somebody put there: it is never shown.
  const field = { path: 'text', before: found ? ({ state: 'sensitive' } as const) : ({ state: 'absent' } as const), after: sideOf(text) };
  return [{ ...change, kind: found ? 'update' : 'create', fields: [{ ...field, ...fieldHashes(found?.text, text) }] }];
}

async function apply(params: ResolvedParams, reading: Reading<Live>, changes: readonly ResourceChange[], call: OpCall): Promise<Applied> {
  const { live, resources, outputs } = reading;
  const [change] = changes;
  if (!change || change.kind === 'unchanged') return { done: true, resources, created: [], outputs };
  const body = { title: keyText(params, 'title'), text: known(textOf(params), 'text') };
  const written = live.found
    ? await call.http.send({ method: 'PATCH', path: `${placeOf(call)}${path`/${live.found.id}`}`, body, answer: noteRecord })
    : await refusedAsExisting(call.http.send({ method: 'POST', path: placeOf(call), body, answer: noteRecord }));
  return { done: true, resources: [resourceOf(written)], created: change.kind === 'create' ? [change.key] : [], outputs: { id: written.id } };
}

function textOf(params: ResolvedParams): Value {
  const text = oneValue(params, 'text');
  if (text === undefined || text.kind === 'keep') throw invalid('`text` is what the note says: it cannot be left out, nor kept.');
  return text;
}

const placeOf = (call: Pick<OpCall, 'identity'>): string => path`/notebooks/${call.identity['notebook'] ?? ''}/notes`;

/** Every note, over all pages. */
async function notesOf(call: Pick<OpCall, 'http' | 'identity'>): Promise<readonly NoteRecord[]> {
  const notes: NoteRecord[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await call.http.send({ method: 'GET', path: placeOf(call), query: { cursor }, answer: noteList });
    notes.push(...items);
    if (!next) return notes;
    cursor = next;
  }
}
