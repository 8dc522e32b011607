import { formatWeather } from '#contract/keepers/format-moment.ts'
import { isTimeZone } from '#contract/keepers/keeper-fields.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { listBranch, selectMessages } from '#contract/keepers/source-tree.ts'
import {
  getSourceTitle,
  librarySourceKind,
  type SourceRole,
  type StoredSourceMessage,
  sourceAppNames,
} from '#contract/keepers/sources.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { type ArchivedEntity, createDayFormatter, formatDay, formatFileLink, toLine } from './archive-columns.ts'
import type { ArchivedEntry } from './archive-format.ts'
import { loadVersions, type Origins, streamEntries } from './read-for-archive.ts'

type MarkdownEntry = Record<string, unknown> & ArchivedEntry

type EntryRenderer = (entry: MarkdownEntry, formatEntryDay: (iso: unknown) => string) => string[]

const formatList = (label: string, values: unknown) =>
  Array.isArray(values) && values.length > 0 ? `${label}: ${values.map(toLine).join(', ')}` : ''

const formatMedia = ({ media = [] }: MarkdownEntry) => media.map(formatFileLink)

const entryRenderers: Record<ArchivedEntity, EntryRenderer> = {
  moment: (entry) => {
    const mood = entry.moodLabel ?? entry.moodScore
    const location = entry.place as { name: string } | null
    const weather = entry.weather as Moment['weather']
    const details = [
      `${toLine(entry.occurredAt)} (${toLine(entry.timezone)})`,
      mood === null ? '' : `mood: ${toLine(mood)}`,
      location ? `at ${toLine(location.name)}` : '',
      weather ? toLine(formatWeather(weather)) : '',
      entry.pinned ? 'kept' : '',
    ]
    return [
      `## ${toLine(entry.localDate)}${entry.title ? ` · ${toLine(entry.title)}` : ''}`,
      `_${details.filter(Boolean).join(' · ')}_`,
      String(entry.body),
      ...formatMedia(entry),
      formatList('Topics', entry.topics),
    ]
  },
  reflection: (entry, formatEntryDay) => [
    `## ${formatEntryDay(entry.createdAt)}${entry.topic ? ` · ${toLine(entry.topic)}` : ''}`,
    entry.promotedAt ? '_kept as a memory card_' : '',
    String(entry.content),
  ],
  card: (entry, formatEntryDay) => [
    `## ${formatEntryDay(entry.reflectionCreatedAt ?? entry.createdAt)}${entry.topic ? ` · ${toLine(entry.topic)}` : ''}`,
    entry.state === 'draft' ? '_not approved yet_' : '',
    String(entry.content),
  ],
  voice: (entry, formatEntryDay) => [
    `## ${toLine(entry.label)}`,
    String(entry.belief),
    entry.transcript ? `Transcript:\n\n> ${String(entry.transcript).replaceAll('\n', '\n> ')}` : '',
    ...formatMedia(entry),
    ...((entry.stillTrue as { answer: boolean; note: string | null; at: string }[]) ?? []).map(
      ({ answer, note, at: timestamp }) =>
        `- ${formatEntryDay(timestamp)}: ${answer ? 'still true' : 'no longer true'}${note ? `. ${toLine(note)}` : ''}`,
    ),
  ],
  echo: (entry, formatEntryDay) => [
    `## Echo of ${formatEntryDay(entry.createdAt)}`,
    entry.triggerAt ? `_comes back on ${formatDay(entry.triggerAt, getTriggerTimezone(entry))}_` : '',
    entry.deliveredAt ? `_delivered on ${formatEntryDay(entry.deliveredAt)}_` : '',
    entry.sealedMessage ? '_Sealed: its text is in keeper.json only._' : String(entry.message),
  ],
  logbook: (entry) => [
    `## ${toLine(entry.occurredOn)} · ${toLine(entry.label)}`,
    `_${toLine(entry.category)}_`,
    String(entry.entry),
    formatList('Tags', entry.tags),
  ],
  journey: (entry) => [
    `## ${toLine(entry.title)}`,
    `_${toLine(entry.status)}${entry.startedOn ? `, since ${toLine(entry.startedOn)}` : ''}_`,
    String(entry.purpose ?? ''),
    ...(entry.paths ?? []).flatMap((path) => [
      `### ${toLine(path.title)} (${path.state.replace('_', ' ')})`,
      path.waypoints
        .map(
          ({ title, note, doneAt }) => `- [${doneAt ? 'x' : ' '}] ${toLine(title)}${note ? `: ${toLine(note)}` : ''}`,
        )
        .join('\n'),
    ]),
  ],
  source: (entry, formatEntryDay) => [
    `## ${formatEntryDay(entry.occurredAt)} · ${toLine(getSourceTitle(entry as unknown as Parameters<typeof getSourceTitle>[0]))}`,
    entry.source && entry.source !== librarySourceKind
      ? `_${toLine(sourceAppNames[entry.source] ?? entry.source)}_`
      : '',
    ...formatMedia(entry),
    ...listVisibleMessages(entry).map(({ role, text }) =>
      role === 'document' ? text : `**${speakers[role]}:**\n\n${text}`,
    ),
  ],
}

const speakers: Record<SourceRole, string> = {
  person: 'You',
  assistant: 'AI',
  tool: 'Tool',
  system: 'Instructions',
  document: '',
}

/** The branch that the app showed. The others are in keeper.json. */
function listVisibleMessages({ messages, currentMessageId }: MarkdownEntry): StoredSourceMessage[] {
  const { selected, findNearest } = selectMessages(messages as StoredSourceMessage[], ({ hidden }) => !hidden)
  return listBranch(selected, findNearest(currentMessageId as string | null) ?? selected.at(-1)?.id ?? null)
}

const sectionTitles: Record<ArchivedEntity, string> = {
  moment: 'Moments',
  reflection: 'Reflections',
  card: 'Memory cards',
  voice: 'Voice',
  echo: 'Echoes',
  logbook: 'Logbook',
  journey: 'Journeys',
  source: 'Sources',
}

function getTriggerTimezone({ triggerTimezone: timezone }: MarkdownEntry): string {
  return typeof timezone === 'string' && isTimeZone(timezone) ? timezone : 'UTC'
}

export async function* streamMarkdown(
  services: Services,
  keeper: KeeperRow,
  entity: ArchivedEntity,
  origins: Origins,
): AsyncGenerator<string> {
  const formatEntryDay = await createDayFormatter(services, keeper)
  yield `# ${toLine(keeper.title)}: ${sectionTitles[entity]}\n`
  for await (const entry of streamEntries(services, keeper, entity, origins)) {
    const blocks = entryRenderers[entity](entry as MarkdownEntry, formatEntryDay).filter((block) => block !== '')
    yield `\n${blocks.join('\n\n')}\n`
  }
}

export async function renderSoleMarkdown(services: Services, keeper: KeeperRow, origins: Origins): Promise<string> {
  const [versions, formatEntryDay] = await Promise.all([
    loadVersions(services, keeper, origins),
    createDayFormatter(services, keeper),
  ])
  const sections = versions.toReversed().map((version) => {
    const decisionText = version.decidedAt ? `, decided on ${formatEntryDay(version.decidedAt)}` : ''
    const heading = `## Version ${version.version} (${version.status}), by ${toLine(version.authorName)}${decisionText}`
    const statements = version.statements.map(({ text, sources }) =>
      [`- ${toLine(text)}`, ...sources.map(({ quote }) => `  > ${toLine(quote)}`)].join('\n'),
    )
    return [
      heading,
      ...(statements.length > 0 ? statements : [version.content]),
      version.reason ? `Reason: ${toLine(version.reason)}` : '',
    ]
      .filter(Boolean)
      .join('\n\n')
  })
  return [`# ${toLine(keeper.title)}: SOLE`, ...sections].join('\n\n').concat('\n')
}
