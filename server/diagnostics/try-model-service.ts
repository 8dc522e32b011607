import type { ServiceTrial } from '#contract/providers/model-services.ts'
import type { Person } from '#server/accounts/person.ts'
import { fetchModelsForKey } from '#server/agents/model-lists/provider-lists.ts'
import { Problem } from '#server/http/problem.ts'
import { countAttempts } from '#server/http/throttle.ts'
import { choosePlatformKey } from '#server/keys/choose-key.ts'
import { requireModelService } from '#server/keys/model-services/list-model-services.ts'
import type { Services } from '#server/services.ts'

const serviceTrialThrottle = { kind: 'service-trial', limit: 20, windowMs: 60_000 }
const maxNamedModels = 3

/** An unreachable service is a result, not an error. @throws Problem `not-found`, `too-many` */
export async function tryModelService(services: Services, person: Person, id: string): Promise<ServiceTrial> {
  const { name, problem } = await requireModelService(services, id)
  const { isWithinLimit, waitSeconds } = await countAttempts(services, serviceTrialThrottle, person.id)
  if (!isWithinLimit)
    throw new Problem('too-many', {
      message: 'Services were tested too often. Wait a minute.',
      retryAfterSeconds: waitSeconds,
    })
  if (problem) return { works: false, message: problem }
  const { items, problem: failure } = await fetchModelsForKey(services, await choosePlatformKey(services, id), id)
  if (items === null)
    return {
      works: false,
      message: `${name} is saved, but its list of models couldn’t be read. ${failure} You can still type a model’s name in an agent’s form.`,
    }
  const names = items.slice(0, maxNamedModels).map((model) => model.id)
  const count = items.length === 1 ? '1 model' : `${items.length} models`
  const andOthers = items.length > names.length ? ', and others' : ''
  return { works: true, message: `${name} answers with ${count}: ${names.join(', ')}${andOthers}.` }
}
