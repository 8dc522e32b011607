import { sql } from 'kysely'
import type { TopicalEntity } from '#contract/keepers/keeper-fields.ts'
import { normalizeTopicName, type Topic } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, requireChanges, type Write } from '#server/db/database.ts'
import { replaceError, UniqueViolation } from '#server/db/database-errors.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findEntryFor, requireEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { loadAliases } from './save-topic.ts'
import { requireTopicFor, type TopicRow, toTopicFields, toTopicView, toTopicViews } from './topic-view.ts'

/** Topic names inside reflections and cards stay as written and resolve by alias. Idempotent.
 * @throws Problem 404; 400 for itself or a topic of another keeper */
export async function mergeTopics(
  services: Services,
  person: Person,
  params: { id: string; targetId: string },
): Promise<{ topic: Topic; mergeId: string }> {
  const source = await requireEntryFor(services, person, 'topic', params.id)
  const target = await requireTopicFor(services, person, params.targetId)
  if (source.id === target.id) throw badField('targetId', 'Choose another topic to merge this one into.')
  if (source.keeper_id !== target.keeper_id) throw badField('targetId', 'Choose a topic in the same keeper.')
  if (source.merged_into === null) await applyMerge(services, person, source.id, target.id)
  const { merged_into } = await requireEntryFor(services, person, 'topic', source.id)
  const activeMerge = await services.db
    .selectFrom('topic_merges')
    .select('id')
    .where('topic_id', '=', source.id)
    .where('target_id', '=', target.id)
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  if (merged_into !== target.id || !activeMerge) throw new Problem('not-found', { message: 'Topic not found' })
  const topic = await toTopicView(services, await requireTopicFor(services, person, target.id))
  // Each moved link is a written row, and none has a text.
  services.usage.add(person.id, 0, topic.total)
  return { topic, mergeId: activeMerge.id }
}

async function applyMerge(services: Services, person: Person, id: string, targetId: string): Promise<void> {
  let aliases: string[] = []
  await saveEntry(services, person, {
    entity: 'topic',
    id,
    ifMatch: null,
    async getChanges(row) {
      if (row.merged_into !== null) return {}
      aliases = await loadAliases(services, id)
      return { merged_into: targetId }
    },
    async extraWrites(row) {
      if (row.merged_into !== null) return []
      return createMergeWrites(services, row, await requireTopicFor(services, person, targetId), aliases)
    },
    toView: (row) => toTopicFields(row, aliases),
  })
}

/** The batch fails if the revision of either topic changed concurrently, so their aliases can’t have changed. */
function createMergeWrites(services: Services, source: TopicRow, target: TopicRow, aliases: string[]): Write[] {
  const { db } = services
  const mergeId = services.newId()
  const targetLink = db
    .selectFrom('entry_topics as target_links')
    .select('target_links.topic_id')
    .where('target_links.entity', '=', sql.ref<TopicalEntity>('entry_topics.entity'))
    .where('target_links.entity_id', '=', sql.ref<string>('entry_topics.entity_id'))
    .where('target_links.topic_id', '=', target.id)
  return [
    bumpRevision(services, target),
    db.insertInto('topic_merges').values({
      id: mergeId,
      keeper_id: source.keeper_id,
      topic_id: source.id,
      target_id: target.id,
      aliases: json(aliases.map(normalizeTopicName)),
      merged_at: services.now().getTime(),
      undone_at: null,
    }),
    db
      .insertInto('topic_merge_links')
      .columns(['merge_id', 'entity', 'entity_id', 'had_both'])
      .expression(
        db
          .selectFrom('entry_topics')
          .innerJoin('topic_merges', 'topic_merges.topic_id', 'entry_topics.topic_id')
          .select((select) => [
            'topic_merges.id',
            'entry_topics.entity',
            'entry_topics.entity_id',
            select.exists(targetLink).as('had_both'),
          ])
          .where('topic_merges.id', '=', mergeId),
      ),
    db
      .deleteFrom('entry_topics')
      .where('topic_id', '=', source.id)
      .where((where) => where.exists(targetLink)),
    db.updateTable('entry_topics').set({ topic_id: target.id }).where('topic_id', '=', source.id),
    db.updateTable('topic_aliases').set({ topic_id: target.id }).where('topic_id', '=', source.id),
    db
      .insertInto('topic_aliases')
      .values({
        keeper_id: source.keeper_id,
        topic_id: target.id,
        alias: source.name,
        alias_folded: source.name_folded,
      })
      .onConflict((conflict) =>
        conflict.columns(['keeper_id', 'alias_folded']).doUpdateSet({ topic_id: target.id, alias: source.name }),
      ),
  ]
}

function bumpRevision({ db, now }: Services, target: TopicRow): Write {
  return requireChanges(
    db
      .updateTable('topics')
      .set({ rev: target.rev + 1, updated_at: now().getTime() })
      .where('id', '=', target.id)
      .where('rev', '=', target.rev)
      .where('deleted_at', 'is', null)
      .where('merged_into', 'is', null),
  )
}

interface TopicMerge {
  id: string
  topic_id: string
  target_id: string
  aliases: string[]
}

/** Links from before the merge return to the topic; later ones stay with the target. Idempotent.
 * @throws Problem 404; 409 when the target was merged or deleted, or the name is in use */
export async function undoMerge(services: Services, person: Person, mergeId: string): Promise<Topic[]> {
  const mergeRow = await findMergeFor(services, person, mergeId)
  if (!mergeRow) throw new Problem('not-found', { message: 'Merge not found' })
  const { undone_at, ...merge } = mergeRow
  if (undone_at === null) await undoActiveMerge(services, person, merge)
  const rows = await Promise.all(
    [merge.target_id, merge.topic_id].map((id) => requireEntryFor(services, person, 'topic', id)),
  )
  const activeTopics = rows.filter((row) => row.merged_into === null)
  return toTopicViews(services, rows[0]?.keeper_id ?? '', activeTopics)
}

function findMergeFor({ db }: Services, person: Person, mergeId: string) {
  return db
    .selectFrom('topic_merges')
    .innerJoin('keepers', 'keepers.id', 'topic_merges.keeper_id')
    .select([
      'topic_merges.id',
      'topic_merges.topic_id',
      'topic_merges.target_id',
      'topic_merges.aliases',
      'topic_merges.undone_at',
    ])
    .where('topic_merges.id', '=', mergeId)
    .where('keepers.owner_id', '=', person.id)
    .where('keepers.deleted_at', 'is', null)
    .executeTakeFirst()
}

async function undoActiveMerge(services: Services, person: Person, merge: TopicMerge): Promise<void> {
  const createNameTakenProblem = () =>
    new Problem('conflict', {
      message: 'Another topic now has the merged topic’s name. Rename that other topic first, then undo.',
    })
  await saveEntry(services, person, {
    entity: 'topic',
    id: merge.topic_id,
    ifMatch: null,
    getChanges: (row) => (row.merged_into === merge.target_id ? { merged_into: null } : {}),
    async extraWrites(row) {
      if (row.merged_into !== merge.target_id) return []
      return createUndoWrites(services, row, await requireTarget(services, person, merge.target_id), merge)
    },
    toView: (row) => toTopicFields(row, []),
  }).catch(replaceError(UniqueViolation, createNameTakenProblem))
}

async function requireTarget(services: Services, person: Person, id: string): Promise<TopicRow> {
  const target = await findEntryFor(services, person, 'topic', id)
  if (!target)
    throw new Problem('conflict', {
      message: 'The topic that this one was merged into was deleted. Restore that topic first.',
    })
  if (target.merged_into === null) return target
  const nextTarget = await findEntryFor(services, person, 'topic', target.merged_into)
  const targetText = nextTarget ? `“${nextTarget.name}”` : 'another topic'
  throw new Problem('conflict', {
    message: `“${target.name}” has since been merged into ${targetText}. Undo that merge first.`,
  })
}

function createUndoWrites(services: Services, source: TopicRow, target: TopicRow, merge: TopicMerge): Write[] {
  const { db } = services
  const mergeLinks = db
    .selectFrom('topic_merge_links')
    .select('topic_merge_links.merge_id')
    .where('topic_merge_links.entity', '=', sql.ref<TopicalEntity>('entry_topics.entity'))
    .where('topic_merge_links.entity_id', '=', sql.ref<string>('entry_topics.entity_id'))
    .where('topic_merge_links.merge_id', '=', merge.id)
  const targetAliases = db.updateTable('topic_aliases').where('topic_id', '=', target.id)
  return [
    bumpRevision(services, target),
    requireChanges(
      db
        .updateTable('topic_merges')
        .set({ undone_at: services.now().getTime() })
        .where('id', '=', merge.id)
        .where('undone_at', 'is', null),
    ),
    db
      .insertInto('entry_topics')
      .columns(['entity', 'entity_id', 'topic_id', 'keeper_id', 'said_at'])
      .expression(
        db
          .selectFrom('entry_topics')
          .innerJoin('topics', (join) => join.on('topics.id', '=', source.id))
          .select([
            'entry_topics.entity',
            'entry_topics.entity_id',
            'topics.id',
            'entry_topics.keeper_id',
            'entry_topics.said_at',
          ])
          .where('entry_topics.topic_id', '=', target.id)
          .where((where) => where.exists(mergeLinks)),
      )
      .onConflict((conflict) => conflict.doNothing()),
    db
      .deleteFrom('entry_topics')
      .where('topic_id', '=', target.id)
      .where((where) => where.exists(mergeLinks.where('topic_merge_links.had_both', '=', false))),
    db.deleteFrom('topic_aliases').where('topic_id', '=', target.id).where('alias_folded', '=', source.name_folded),
    ...(merge.aliases.length > 0
      ? [targetAliases.set({ topic_id: source.id }).where('alias_folded', 'in', merge.aliases)]
      : []),
  ]
}
