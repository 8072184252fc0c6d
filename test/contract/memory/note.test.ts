import { describeOpContract, memoryApi, memoryWorld } from 'lockkeeper/adapter/contract';
import { note } from './note.ts';

describeOpContract({
  op: note,
  params: { title: 'Release notes', text: { secret: 'env://TEXT' } },
  secrets: { 'env://TEXT': 'correct-horse-battery' },
  credential: 'never-sent-anywhere',
  destroy: 'removes',
  secondCreate: 'refused',
  world: async () => {
    const api = memoryApi({ unique: 'title' });
    for (const title of ['one', 'two', 'three']) api.objects.set(`/notebooks/n1/notes/${title}`, { id: title, title, text: 'theirs' });
    return memoryWorld(api, { notebook: 'n1' });
  },
});
