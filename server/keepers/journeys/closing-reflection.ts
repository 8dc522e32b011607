import type { Journey, Path } from '#contract/keepers/journeys.ts'
import { markdownLine, markdownQuote, pathsBy, standing } from './story-words.ts'

type Told = Pick<Journey, 'title' | 'purpose'>

/** The initial text of a closing reflection. @param zone time zone of the dates on which waypoints were reached */
export function closingReflection({ title, purpose }: Told, paths: readonly Path[], zone: string): string {
  const taken = pathsBy(paths, 'taken').flatMap(({ waypoints }) => waypoints)
  const line = (waypoint: Path['waypoints'][number]) =>
    [markdownLine(waypoint.title), standing(waypoint, zone)].filter(Boolean).join(' · ')
  const quoted = (waypoint: Path['waypoints'][number]) =>
    [`> - ${line(waypoint)}`, ...(waypoint.note.trim() ? [markdownQuote(markdownQuote(waypoint.note))] : [])].join('\n')
  const reached = taken.filter(({ doneAt }) => doneAt !== null)
  const left = taken.filter(({ doneAt }) => doneAt === null)
  const notTaken = pathsBy(paths, 'not_taken')
  const parts = [
    `Looking back on “${markdownLine(title)}”.`,
    purpose.trim() && `Its purpose:\n\n${markdownQuote(purpose)}`,
    reached.length > 0 && `Reached:\n\n${reached.map(quoted).join('\n')}`,
    left.length > 0 && `Still open:\n\n${left.map(quoted).join('\n')}`,
    notTaken.length > 0 && `Not taken:\n\n${notTaken.map((path) => `> - ${markdownLine(path.title)}`).join('\n')}`,
    'What I take with me:',
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n\n`
}
