import { joinLines } from '#contract/join-lines.ts'
import { isTimeZone } from '#contract/keepers/keeper-words.ts'
import { dayIn } from '#contract/keepers/lived-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { weatherWords } from '#contract/keepers/weather-words.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { livedZone } from '../lived-zone.ts'
import type { ArchivedEntity } from './archive-columns.ts'
import type { ArchivedEntry, ArchivedMedia } from './archive-format.ts'
import type { Origins } from './origins.ts'
import { archivedEntries, archivedVersions } from './read-for-archive.ts'

type Words = Record<string, unknown> & ArchivedEntry
type Telling = (entry: Words, day: (iso: unknown) => string) => string[]

const line = (value: unknown) => joinLines(String(value ?? ''), ' ')
const listed = (label: string, values: unknown) =>
  Array.isArray(values) && values.length > 0 ? `${label}: ${values.map(line).join(', ')}` : ''
const shown = ({ media = [] }: Words) => media.map(fileLink)

export function fileLink({ file, alt, name, mime }: ArchivedMedia): string {
  const words = line(alt ?? name ?? 'file').replace(/[[\]]/g, '')
  return `${mime.startsWith('image/') ? '!' : ''}[${words}](../${file})`
}

/** Markdown blocks by kind, joined by blank lines; empty blocks are dropped. */
const tellings: Record<ArchivedEntity, Telling> = {
  moment: (entry) => {
    const { mood_, place, weather } = {
      mood_: entry.moodLabel ?? entry.moodScore,
      place: entry.place as { name: string } | null,
      weather: entry.weather as Moment['weather'],
    }
    const facts = [
      `${line(entry.occurredAt)} (${line(entry.timezone)})`,
      mood_ === null ? '' : `mood: ${line(mood_)}`,
      place ? `at ${line(place.name)}` : '',
      weather ? line(weatherWords(weather)) : '',
      entry.pinned ? 'kept' : '',
    ]
    return [
      `## ${line(entry.localDate)}${entry.title ? ` · ${line(entry.title)}` : ''}`,
      `_${facts.filter(Boolean).join(' · ')}_`,
      String(entry.body),
      ...shown(entry),
      listed('Topics', entry.topics),
    ]
  },
  reflection: (entry, day) => [
    `## ${day(entry.createdAt)}${entry.topic ? ` · ${line(entry.topic)}` : ''}`,
    entry.promotedAt ? '_kept as a memory card_' : '',
    String(entry.content),
  ],
  card: (entry, day) => [
    `## ${day(entry.reflectionCreatedAt ?? entry.createdAt)}${entry.topic ? ` · ${line(entry.topic)}` : ''}`,
    entry.state === 'draft' ? '_not approved yet_' : '',
    String(entry.content),
  ],
  voice: (entry, day) => [
    `## ${line(entry.label)}`,
    String(entry.belief),
    entry.transcript ? `Transcript:\n\n> ${String(entry.transcript).replaceAll('\n', '\n> ')}` : '',
    ...shown(entry),
    ...((entry.stillTrue as { answer: boolean; note: string | null; at: string }[]) ?? []).map(
      ({ answer, note, at }) =>
        `- ${day(at)}: ${answer ? 'still true' : 'no longer true'}${note ? `. ${line(note)}` : ''}`,
    ),
  ],
  echo: (entry, day) => [
    `## Echo of ${day(entry.createdAt)}`,
    entry.triggerAt ? `_comes back on ${dayAt(entry.triggerAt, zoneOf(entry))}_` : '',
    entry.deliveredAt ? `_delivered on ${day(entry.deliveredAt)}_` : '',
    entry.sealedMessage ? '_Sealed: its text is in keeper.json only._' : String(entry.message),
  ],
  logbook: (entry) => [
    `## ${line(entry.occurredOn)} · ${line(entry.label)}`,
    `_${line(entry.category)}_`,
    String(entry.entry),
    listed('Tags', entry.tags),
  ],
  journey: (entry) => [
    `## ${line(entry.title)}`,
    `_${line(entry.status)}${entry.startedOn ? `, since ${line(entry.startedOn)}` : ''}_`,
    String(entry.purpose ?? ''),
    ...(entry.paths ?? []).flatMap((path) => [
      `### ${line(path.title)} (${path.state.replace('_', ' ')})`,
      path.waypoints
        .map(({ title, note, doneAt }) => `- [${doneAt ? 'x' : ' '}] ${line(title)}${note ? `: ${line(note)}` : ''}`)
        .join('\n'),
    ]),
  ],
}

const titles: Record<ArchivedEntity, string> = {
  moment: 'Moments',
  reflection: 'Reflections',
  card: 'Memory cards',
  voice: 'Voice',
  echo: 'Echoes',
  logbook: 'Logbook',
  journey: 'Journeys',
}

/** Formats instants as dates in the owner's time zone. */
export async function daysOf(services: Services, { owner_id }: Pick<KeeperRow, 'owner_id'>) {
  const zone = await livedZone(services, owner_id)
  return (iso: unknown) => dayAt(iso, zone)
}

/** Imported values may not be dates; they are returned as they are. */
function dayAt(iso: unknown, zone: string): string {
  const at = Date.parse(String(iso))
  return Number.isNaN(at) ? String(iso).slice(0, 10) : dayIn(zone, at)
}

function zoneOf({ triggerTimezone: zone }: Words): string {
  return typeof zone === 'string' && isTimeZone(zone) ? zone : 'UTC'
}

export async function* markdownOf(
  services: Services,
  keeper: KeeperRow,
  entity: ArchivedEntity,
  origins: Origins,
): AsyncGenerator<string> {
  const day = await daysOf(services, keeper)
  yield `# ${line(keeper.title)}: ${titles[entity]}\n`
  for await (const entry of archivedEntries(services, keeper, entity, origins)) {
    const blocks = tellings[entity](entry as Words, day).filter((block) => block !== '')
    yield `\n${blocks.join('\n\n')}\n`
  }
}

export async function soleMarkdown(services: Services, keeper: KeeperRow, origins: Origins): Promise<string> {
  const [versions, day] = await Promise.all([archivedVersions(services, keeper, origins), daysOf(services, keeper)])
  const told = versions.toReversed().map((version) => {
    const decided = version.decidedAt ? `, decided on ${day(version.decidedAt)}` : ''
    const head = `## Version ${version.version} (${version.status}), by ${line(version.authorName)}${decided}`
    const statements = version.statements.map(({ text, sources }) =>
      [`- ${line(text)}`, ...sources.map(({ quote }) => `  > ${line(quote)}`)].join('\n'),
    )
    return [
      head,
      ...(statements.length > 0 ? statements : [version.content]),
      version.reason ? `Reason: ${line(version.reason)}` : '',
    ]
      .filter(Boolean)
      .join('\n\n')
  })
  return [`# ${line(keeper.title)}: SOLE`, ...told].join('\n\n').concat('\n')
}
