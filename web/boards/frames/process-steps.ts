import { type Step, stepStates } from '#contract/boards/frame-content.ts'
import { truncate } from '#contract/truncate.ts'

export const stateWords: Record<Step['state'], string> = {
  todo: 'to do',
  active: 'under way',
  done: 'done',
  skipped: 'skipped',
}

export function nextState(state: Step['state']): Step['state'] {
  return stepStates[(stepStates.indexOf(state) + 1) % stepStates.length] ?? 'todo'
}

export const withState = (steps: readonly Step[], id: string, state: Step['state']): Step[] =>
  steps.map((step) => (step.id === id ? { ...step, state } : step))

/** A step without words is none: it goes. */
export function renamed(steps: readonly Step[], id: string, title: string): Step[] {
  const words = title.trim()
  if (words === '') return steps.filter((step) => step.id !== id)
  return steps.map((step) => (step.id === id ? { ...step, title: words } : step))
}

/** The lines of a text as steps to do, after what is there; no more than fit. */
export function withSteps(steps: readonly Step[], text: string, most: number, newId: () => string): Step[] {
  const titles = text
    .split('\n')
    .map((line) => truncate(line.trim(), 200))
    .filter((line) => line !== '')
  const added = titles.map((title): Step => ({ id: newId(), title, state: 'todo' }))
  return [...steps, ...added].slice(0, Math.max(most, steps.length))
}

/** "2 of 5 done": steps that were skipped are not waited for. */
export function progressOf(steps: readonly Step[]): string {
  const counted = steps.filter(({ state }) => state !== 'skipped')
  return `${counted.filter(({ state }) => state === 'done').length} of ${counted.length} done`
}
