import { z } from 'zod';
import { readDefinition } from '../states/definition.ts';
import { checkTasks } from '../states/integrations.ts';
import { arn } from '../template/place.ts';
import { unsupported } from '../template/unsupported.ts';
import { identityOf, physicalName } from './identity.ts';
import type { Parts, ResourceKind } from './kind.ts';

const properties = z.looseObject({ DefinitionString: z.string().optional(), Definition: z.looseObject({}).optional() });

/** A state machine of either kind, run as a Standard one. Its tasks send to queues of the same template. */
export const stateMachine: ResourceKind = {
  types: ['AWS::StepFunctions::StateMachine'],
  identity(declared) {
    const name = physicalName(declared, 'StateMachineName');
    const own = arn('states', `stateMachine:${name}`);
    return identityOf(name, own, { Arn: own, Name: name });
  },
  create(resource, { machines, dataPlane, find }) {
    const { DefinitionString, Definition } = properties.parse(resource.properties);
    const text = DefinitionString ?? (Definition && JSON.stringify(Definition));
    if (text === undefined) throw unsupported(resource.id, 'the embedded stack takes a definition from the template only');
    const definition = readDefinition(resource.id, text);
    checkTasks(resource.id, definition, (url) => queueAt(url, find) !== undefined);
    machines.add(resource.identity.ref, {
      id: resource.id,
      name: resource.identity.name,
      definition,
      async send({ queueUrl, body }) {
        const name = queueAt(queueUrl, find);
        if (name === undefined) throw new Error(`${queueUrl} is no queue of this template`);
        await dataPlane.send(name, body);
      },
    });
  },
};

function queueAt(url: string, find: Parts['find']): string | undefined {
  const found = find(url);
  return found?.type === 'AWS::SQS::Queue' ? found.identity.name : undefined;
}
