import { type FirstStepId, type FirstSteps, firstKeeperTitle, firstStepIds } from '#contract/accounts/own-account.ts'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'

type FirstStepsPerson = Pick<Person, 'id'>

export async function readFirstSteps(services: Services, person: FirstStepsPerson): Promise<FirstSteps> {
  const { db } = services
  const evidence = findStepEvidence(services, person)
  const [row, ...areDone] = await Promise.all([
    db.selectFrom('people').select('first_steps_dismissed_at').where('id', '=', person.id).executeTakeFirstOrThrow(),
    ...firstStepIds.map((step) => evidence[step]),
  ])
  return {
    done: firstStepIds.filter((_, index) => areDone[index]),
    dismissed: row.first_steps_dismissed_at !== null,
  }
}

export async function dismissFirstSteps(
  services: Services,
  person: FirstStepsPerson,
  dismissed: boolean,
): Promise<FirstSteps> {
  await services.db
    .updateTable('people')
    .set({ first_steps_dismissed_at: dismissed ? services.now().getTime() : null })
    .where('id', '=', person.id)
    .execute()
  return readFirstSteps(services, person)
}

function findStepEvidence({ db }: Services, { id }: FirstStepsPerson): Record<FirstStepId, Promise<boolean>> {
  const keepers = db
    .selectFrom('keepers')
    .select('keepers.id')
    .where('keepers.owner_id', '=', id)
    .where('keepers.id', '!=', getSampleKeeperId(id))
    .where('keepers.deleted_at', 'is', null)
  const domainIds = db.selectFrom('domains').select('id').where('owner_id', '=', id)
  const otherMembers = db
    .selectFrom('domain_members')
    .select('person_id as id')
    .where('domain_id', 'in', domainIds)
    .where('person_id', '!=', id)
  const phonePatterns = ['iPhone', 'iPad', 'Android'].map((system) => `% on ${system}`)
  return {
    moment: db.exists(
      keepers.innerJoin('moments', 'moments.keeper_id', 'keepers.id').where('moments.deleted_at', 'is', null),
    ),
    answer: db.exists(
      db
        .selectFrom('runs')
        .select('id')
        .where('person_id', '=', id)
        .where('status', '=', 'success')
        .where('origin', '!=', 'diagnostics'),
    ),
    keeper: db.exists(keepers.where('title', '!=', firstKeeperTitle)),
    key: db.exists(db.selectFrom('provider_keys').select('provider').where('owner', '=', id)),
    phone: db.exists(
      db
        .selectFrom('sessions')
        .select('id')
        .where('person_id', '=', id)
        .where(({ or, eb }) => or(phonePatterns.map((phone) => eb('device', 'like', phone)))),
    ),
    invite: db.exists(db.selectFrom('invitations').select('id').where('invited_by', '=', id).unionAll(otherMembers)),
  }
}
