import { type FirstStepId, type FirstSteps, firstKeeperTitle, firstStepIds } from '#contract/accounts/own-account.ts'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'

type FirstStepsPerson = Pick<Person, 'id'>

export async function readFirstSteps(services: Services, person: FirstStepsPerson): Promise<FirstSteps> {
  const { db } = services
  const entities = findStepEvidence(services, person)
  const [row, ...results] = await Promise.all([
    db.selectFrom('people').select('first_steps_dismissed_at').where('id', '=', person.id).executeTakeFirstOrThrow(),
    ...firstStepIds.map((step) => entities[step]),
  ])
  return {
    done: firstStepIds.filter((_, index) => results[index] !== undefined),
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

function findStepEvidence({ db }: Services, { id }: FirstStepsPerson): Record<FirstStepId, Promise<unknown>> {
  const keepers = db
    .selectFrom('keepers')
    .select('keepers.id')
    .where('keepers.owner_id', '=', id)
    .where('keepers.id', '!=', getSampleKeeperId(id))
    .where('keepers.deleted_at', 'is', null)
    .limit(1)
  const domainIds = db.selectFrom('domains').select('id').where('owner_id', '=', id)
  const otherMember = db
    .selectFrom('domain_members')
    .select('person_id')
    .where('domain_id', 'in', domainIds)
    .where('person_id', '!=', id)
    .limit(1)
  const phonePatterns = ['iPhone', 'iPad', 'Android'].map((system) => `% on ${system}`)
  return {
    moment: keepers
      .innerJoin('moments', 'moments.keeper_id', 'keepers.id')
      .where('moments.deleted_at', 'is', null)
      .executeTakeFirst(),
    answer: db
      .selectFrom('runs')
      .select('id')
      .where('person_id', '=', id)
      .where('status', '=', 'success')
      .where('origin', '!=', 'diagnostics')
      .limit(1)
      .executeTakeFirst(),
    keeper: keepers.where('title', '!=', firstKeeperTitle).executeTakeFirst(),
    key: db.selectFrom('provider_keys').select('provider').where('owner', '=', id).limit(1).executeTakeFirst(),
    phone: db
      .selectFrom('sessions')
      .select('id')
      .where('person_id', '=', id)
      .where(({ or, eb }) => or(phonePatterns.map((phone) => eb('device', 'like', phone))))
      .limit(1)
      .executeTakeFirst(),
    invite: db
      .selectFrom('invitations')
      .select('id')
      .where('invited_by', '=', id)
      .limit(1)
      .executeTakeFirst()
      .then<unknown>((invited) => invited ?? otherMember.executeTakeFirst()),
  }
}
