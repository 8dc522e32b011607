import { type Step, stepStates } from '#contract/boards/frame-content.ts'
import { truncate } from '#contract/truncate.ts'

export const stateWords: Record<Step['state'], string> = {
  todo: 'to do',
  active: 'in progress',
  done: 'done',
  skipped: 'skipped',
}

export function nextState(state: Step['state']): Step['state'] {
  return stepStates[(stepStates.indexOf(state) + 1) % stepStates.length] ?? 'todo'
}

export const withState = (steps: readonly Step[], id: string, state: Step['state']): Step[] =>
  steps.map((step) => (step.id === id ? { ...step, state } : step))

/** Removes the step if the title is empty. */
export function renamed(steps: readonly Step[], id: string, title: string): Step[] {
  const words = title.trim()
  if (words === '') return steps.filter((step) => step.id !== id)
  return steps.map((step) => (step.id === id ? { ...step, title: words } : step))
}

const longestTitle = 200

/** Appends a step per line, splitting long lines; `rest` has the lines beyond the maximum. */
export function withSteps(steps: readonly Step[], text: string, most: number, newId: () => string) {
  const titles = text.split('\n').flatMap(titlesOf)
  const room = Math.max(0, most - steps.length)
  const added = titles.slice(0, room).map((title): Step => ({ id: newId(), title, state: 'todo' }))
  return { steps: [...steps, ...added], rest: titles.slice(room).join('\n') }
}

/** Splits a long line, between words where possible. */
function titlesOf(line: string): string[] {
  const titles: string[] = []
  let rest = line.trim()
  while (rest.length > longestTitle) {
    const space = rest.slice(0, longestTitle + 1).search(/\s\S*$/)
    const title = space > 0 ? rest.slice(0, space) : truncate(rest, longestTitle)
    titles.push(title.trimEnd())
    rest = rest.slice(title.length).trimStart()
  }
  return rest === '' ? titles : [...titles, rest]
}

/** For example `2 of 5 done`; ignores skipped steps. */
export function progressOf(steps: readonly Step[]): string {
  const counted = steps.filter(({ state }) => state !== 'skipped')
  return `${counted.filter(({ state }) => state === 'done').length} of ${counted.length} done`
}
