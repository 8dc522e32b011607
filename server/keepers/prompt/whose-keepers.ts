import { sampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { Person } from '#server/accounts/person.ts'
import type { AgentRow } from '#server/agents/agent-row.ts'
import type { AgentOnItsPath } from '#server/agents/keeper-memory.ts'
import { peopleWhoSee } from '#server/domains/people-of-domains.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { livedZone } from '../lived-zone.ts'

/** A keeper and the time zone its owner lives in, by which what is read in it is dated. */
export type KnownKeeper = KeeperRow & { zone: string }

/** Either the keepers an agent may know for this person, or why there are none. */
export type KnownKeepers = { keepers: KnownKeeper[]; because: null } | { keepers: []; because: string }

/**
 * The keepers of the types assigned to an agent that belong to whoever runs it, oldest first. An agent of a stranger
 * gets none, whatever it is assigned to: its author could have it say what it read. Nor does an agent that such a one
 * asked, be it the person's own: what it answers goes back to the stranger's. The sample keeper is never among them:
 * nothing invented is to stand in an answer as if it were lived.
 * @param anyType an agent no type is assigned to gets all of the person's keepers (its tools), or none (its context)
 */
export async function keepersKnownTo(
  services: Services,
  person: Pick<Person, 'id'>,
  { agent, askedBy }: AgentOnItsPath,
  { anyType }: { anyType: boolean },
): Promise<KnownKeepers> {
  const { db } = services
  const all = await db
    .selectFrom('keepers')
    .selectAll()
    .where('owner_id', '=', person.id)
    .where('id', '!=', sampleKeeperId(person.id))
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  if (all.length === 0) return { keepers: [], because: 'this person has no keeper yet' }
  for (const one of [agent, ...askedBy])
    if (!(await isTrusted(services, person, one))) {
      const which = one === agent ? 'this agent' : 'an agent that asked this one'
      return {
        keepers: [],
        because: `${which} belongs to somebody in no domain that this person agreed to`,
      }
    }
  const assigned = await db
    .selectFrom('agent_keeper_types')
    .select('keeper_type_id')
    .where('agent_id', '=', agent.id)
    .execute()
  if (assigned.length === 0 && !anyType) return { keepers: [], because: 'no keeper type is assigned to this agent' }
  const types = new Set(assigned.map((one) => one.keeper_type_id))
  const fitting =
    assigned.length === 0 ? all : all.filter((one) => one.keeper_type_id !== null && types.has(one.keeper_type_id))
  if (fitting.length === 0)
    return { keepers: [], because: 'this person has no keeper of a type assigned to this agent' }
  const zone = await livedZone(services, person.id)
  return { keepers: fitting.map((keeper) => ({ ...keeper, zone })), because: null }
}

async function isTrusted({ db }: Services, person: Pick<Person, 'id'>, agent: AgentRow): Promise<boolean> {
  const owner = agent.owner_id
  if (owner === null || owner === person.id) return true
  const close = await db
    .selectFrom('people')
    .select('people.id')
    .where('people.id', '=', owner)
    // That somebody put the person into a domain, or gave them an agent, is no word of theirs: nobody earns trust by it.
    .where('people.id', 'in', peopleWhoSee(db, person.id))
    .executeTakeFirst()
  return close !== undefined
}
