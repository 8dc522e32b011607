import type { TemplateRun } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireRunFor, toRunView } from './find-run.ts'
import { finishRun } from './finish-run.ts'

export async function showRun(services: Services, person: Person, id: string): Promise<TemplateRun> {
  return toRunView(services, person, await finishRun(services, person, await requireRunFor(services, person, id)))
}
