import type { Generated } from 'kysely'
import type { ClassDefaults } from '#contract/agents/agent-classes.ts'
import type { TriggerConditions } from '#contract/keepers/echoes.ts'
import type {
  TemplateField,
  TemplateKind,
  TemplateRun,
  TemplateStep,
  TemplateTarget,
  templateTypes,
} from '#contract/keepers/engagement-templates.ts'
import type { JourneyStatus, PathState, Pigment } from '#contract/keepers/journeys.ts'
import type { Entity, TopicalEntity } from '#contract/keepers/keeper-fields.ts'
import type { CardState } from '#contract/keepers/memory-cards.ts'
import type { MemoryPattern } from '#contract/keepers/memory-patterns.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { SoleStatement, SoleStatus } from '#contract/keepers/sole.ts'
import type { SourceKind, StoredSourceMessage } from '#contract/keepers/sources.ts'
import type { ImportKind, ImportPreview, ImportState } from '#contract/keepers/transfer.ts'
import type { VoiceEntry } from '#contract/keepers/voice.ts'
import type { VersionDifference } from '#server/keepers/sole/sole-rows.ts'
import type { Json, JsonOrNull, JsonWithDefault, Milliseconds } from './parameters.ts'

type IsoDay = string

export interface EntityColumns {
  id: string
  keeper_id: string
  owner_id: string
  created_at: Milliseconds
  updated_at: Milliseconds
  deleted_at: Milliseconds | null
  rev: Generated<number>
}

interface SourceColumns {
  source_kind: string | null
  source_id: string | null
}

export interface KeeperSchema {
  keepers: Omit<EntityColumns, 'keeper_id'> & {
    title: string
    purpose: string
    keeper_type: string
    keeper_type_id: string | null
    memory_pattern: string
    theme: string
    is_public: boolean
    /** The import of a Keeper archive that created it; undoing that import moves it to the trash. */
    import_id: string | null
  }
  engagement_templates: {
    id: string
    owner_id: string | null
    kind: TemplateKind
    slug: string
    label: string
    type: (typeof templateTypes)[number]
    description: string
    category: string
    system: boolean
    fields: Json<TemplateField[]>
    steps: Json<TemplateStep[]>
    target: TemplateTarget
    created_at: Milliseconds
    updated_at: Milliseconds
    rev: Generated<number>
  }
  keeper_type_templates: { keeper_type_id: string; template_id: string; position: number }
  keeper_templates: { keeper_id: string; template_id: string; linked_at: Milliseconds }
  template_runs: EntityColumns & {
    template_id: string
    step: number
    answers: Json<TemplateRun['answers']>
    entries: Json<TemplateRun['entries']>
    wait_until: Milliseconds | null
    finished_at: Milliseconds | null
  }
  memory_patterns: {
    id: string
    owner_id: string | null
    slug: string
    name: string
    description: string
    system: boolean
    sections: Json<MemoryPattern['sections']>
    capture_from: Json<MemoryPattern['captureFrom']>
    promote: Json<MemoryPattern['promote']>
    keeps_story: Generated<boolean>
    created_at: Milliseconds
    updated_at: Milliseconds
    rev: Generated<number>
  }
  agent_classes: {
    id: string
    owner_id: string | null
    slug: string
    name: string
    description: string
    system: boolean
    base: string
    defaults: Json<ClassDefaults>
    created_at: Milliseconds
    updated_at: Milliseconds
    rev: Generated<number>
  }
  reflections: EntityColumns &
    SourceColumns & {
      agent_id: string
      topic: string | null
      content: string
      ai_visible: boolean
      rested_at: Milliseconds | null
      promoted_at: Milliseconds | null
      moment_id: string | null
    }
  memory_cards: EntityColumns &
    SourceColumns & {
      /** Unique, so that a promotion happens once. */
      reflection_id: string | null
      reflection_agent_id: string | null
      reflection_created_at: Milliseconds | null
      content: string
      topic: string | null
      ai_visible: boolean
      state: CardState
      embedded_with: string | null
      embedded_at: Milliseconds | null
      /** Normalized text for word search; `null`: not indexed since the last change. */
      words: string | null
    }
  card_vectors: {
    card_id: string
    keeper_id: string
    model: string
    dimensions: number
    /** float32, little-endian, normalized to length 1. */
    vector: Uint8Array
    /** One bit per dimension: 1 if the value is positive. */
    signs: Uint8Array
    created_at: Milliseconds
  }
  embedding_jobs: {
    id: string
    keeper_id: string
    owner_id: string
    state: 'running' | 'done' | 'failed'
    model: string
    total: number
    done: number
    error: string | null
    created_at: Milliseconds
    updated_at: Milliseconds
    lease_until: Milliseconds
  }
  voice_entries: EntityColumns &
    SourceColumns & {
      agent_id: string
      label: string
      belief: string
      ai_visible: boolean
      audio_id: string | null
      duration_ms: number | null
      transcript: string | null
      transcript_status: VoiceEntry['transcriptStatus']
      transcript_error: string | null
      transcript_until: Milliseconds | null
      language: string | null
      strength: number | null
      /** The ID prevents duplicates of retried answers; older answers have none. */
      still_true: Json<(VoiceEntry['stillTrue'][number] & { id?: string })[]>
    }
  echoes: EntityColumns &
    SourceColumns & {
      agent_id: string
      message: string
      sealed: boolean
      trigger_at: Milliseconds | null
      trigger_conditions: JsonOrNull<TriggerConditions>
      trigger_timezone: string | null
      /** When its date or conditions last changed; `null`: at creation. */
      armed_at: Milliseconds | null
      /** Set once, by the hourly job or a condition; past dates count as ready even before. */
      ready_at: Milliseconds | null
      ready_because: string | null
      mailed_at: Milliseconds | null
      delivered_at: Milliseconds | null
    }
  logbook_entries: EntityColumns &
    SourceColumns & {
      agent_id: string
      entry: string
      label: string
      category: string
      tags: Json<string[]>
      occurred_on: IsoDay
      pinned: boolean
      ai_visible: boolean
      moment_id: string | null
      journey_id: string | null
    }
  journeys: EntityColumns &
    SourceColumns & {
      title: string
      purpose: string
      status: JourneyStatus
      started_on: IsoDay | null
      ends_on: IsoDay | null
      completed_at: Milliseconds | null
      color: Pigment
      ai_visible: boolean
    }
  paths: EntityColumns & { journey_id: string; title: string; state: PathState; position: number }
  waypoints: {
    id: string
    path_id: string
    title: string
    note: string
    due_on: IsoDay | null
    done_at: Milliseconds | null
    position: number
  }
  moments: EntityColumns &
    SourceColumns & {
      occurred_at: Milliseconds
      /** Set by the person; never derived again. */
      local_date: IsoDay
      timezone: string
      title: string | null
      body: string
      mood_score: number | null
      mood_label: string | null
      place: JsonOrNull<NonNullable<Moment['place']>>
      weather: JsonOrNull<NonNullable<Moment['weather']>>
      journey_id: string | null
      prompt_id: string | null
      pinned: boolean
      ai_visible: boolean
      /** The import that created it; undoing that import moves it to the trash. */
      import_id: string | null
    }
  sources: EntityColumns &
    SourceColumns & {
      kind: SourceKind
      /** Empty if the app gave the source no title. */
      title: string
      /** The visible text of all messages, for searching. */
      text: string
      messages: Json<StoredSourceMessage[]>
      message_count: number
      /** Last message of the branch that the app showed. */
      current_message_id: string | null
      occurred_at: Milliseconds
      /** Last change in the app it comes from. */
      changed_at: Milliseconds | null
      keepable: boolean
      ai_visible: boolean
      /** The import that created it; undoing that import moves it to the trash. */
      import_id: string | null
    }
  waypoint_moments: { waypoint_id: string; moment_id: string; position: number }
  topics: EntityColumns & {
    name: string
    /** `normalizeTopicName(name)`: unique in the keeper among topics neither deleted nor merged. */
    name_folded: string
    color: Pigment
    note: string
    pinned: boolean
    merged_into: string | null
  }
  topic_aliases: { keeper_id: string; alias_folded: string; alias: string; topic_id: string }
  entry_topics: {
    entity: TopicalEntity
    entity_id: string
    topic_id: string
    keeper_id: string
    said_at: Milliseconds
  }
  topic_merges: {
    id: string
    keeper_id: string
    topic_id: string
    target_id: string
    aliases: Json<string[]>
    merged_at: Milliseconds
    undone_at: Milliseconds | null
  }
  topic_merge_links: {
    merge_id: string
    entity: TopicalEntity
    entity_id: string
    /** The entry already had the target topic, so undoing the merge leaves it there. */
    had_both: boolean
  }
  sole_versions: {
    id: string
    keeper_id: string
    owner_id: string
    version: number
    status: SoleStatus
    type: string
    content: string
    statements: Json<SoleStatement[]>
    author_kind: 'person' | 'agent' | 'import'
    author_id: string | null
    author_name: string
    run_id: string | null
    based_on: number | null
    submitted_at: Milliseconds
    decided_by: string | null
    decided_at: Milliseconds | null
    reason: string | null
    left_out: JsonWithDefault<SoleStatement[]>
    difference: JsonOrNull<VersionDifference>
  }
  sole_reviewers: { keeper_id: string; person_id: string; granted_at: Milliseconds }
  entry_history: {
    id: string
    keeper_id: string
    owner_id: string
    entity: Entity
    entity_id: string
    rev: number
    snapshot: Json<Record<string, unknown>>
    saved_at: Milliseconds
  }
  memory_reads: {
    id: string
    keeper_id: string
    owner_id: string
    entity: Entity
    entity_id: string
    run_id: string
    agent_id: string
    agent_name: string
    purpose: string
    read_at: Milliseconds
    /** Set if a connected program read it; run and agent are empty then. */
    connection_id: Generated<string | null>
  }
  import_jobs: {
    id: string
    owner_id: string
    keeper_id: string | null
    kind: ImportKind
    state: ImportState
    file_name: string
    bytes: number
    sha256: string
    preview: JsonOrNull<ImportPreview>
    total: number
    done: number
    error: string | null
    created_at: Milliseconds
    updated_at: Milliseconds
    lease_until: Milliseconds
  }
}
