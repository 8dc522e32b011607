import { type ProcessStep, stepStates } from '#contract/boards/frame-content.ts'
import { truncate } from '#contract/truncate.ts'

export const stepStateLabels: Record<ProcessStep['state'], string> = {
  todo: 'to do',
  active: 'in progress',
  done: 'done',
  skipped: 'skipped',
}

export function getNextState(state: ProcessStep['state']): ProcessStep['state'] {
  return stepStates[(stepStates.indexOf(state) + 1) % stepStates.length] ?? 'todo'
}

export const setStepState = (steps: readonly ProcessStep[], id: string, state: ProcessStep['state']): ProcessStep[] =>
  steps.map((step) => (step.id === id ? { ...step, state } : step))

/** Removes the step if the title is empty. */
export function renameStep(steps: readonly ProcessStep[], id: string, title: string): ProcessStep[] {
  const newTitle = title.trim()
  if (newTitle === '') return steps.filter((step) => step.id !== id)
  return steps.map((step) => (step.id === id ? { ...step, title: newTitle } : step))
}

const maxTitleLength = 200

/** Appends a step per line, splitting long lines; `rest` has the lines beyond the maximum. */
export function addSteps(steps: readonly ProcessStep[], text: string, maxSteps: number, newId: () => string) {
  const titles = text.split('\n').flatMap(splitTitle)
  const freeCount = Math.max(0, maxSteps - steps.length)
  const added = titles.slice(0, freeCount).map((title): ProcessStep => ({ id: newId(), title, state: 'todo' }))
  return { steps: [...steps, ...added], rest: titles.slice(freeCount).join('\n') }
}

/** Splits a long line, between words where possible. */
function splitTitle(line: string): string[] {
  const titles: string[] = []
  let remaining = line.trim()
  while (remaining.length > maxTitleLength) {
    const spaceIndex = remaining.slice(0, maxTitleLength + 1).search(/\s\S*$/)
    const title = spaceIndex > 0 ? remaining.slice(0, spaceIndex) : truncate(remaining, maxTitleLength)
    titles.push(title.trimEnd())
    remaining = remaining.slice(title.length).trimStart()
  }
  return remaining === '' ? titles : [...titles, remaining]
}

/** For example `2 of 5 done`; ignores skipped steps. */
export function formatStepProgress(steps: readonly ProcessStep[]): string {
  const relevantSteps = steps.filter(({ state }) => state !== 'skipped')
  return `${relevantSteps.filter(({ state }) => state === 'done').length} of ${relevantSteps.length} done`
}
