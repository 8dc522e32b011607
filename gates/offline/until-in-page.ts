import type { Page } from '@playwright/test'

type Box = () => ReturnType<Page['locator']>

async function until(told: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await told())) {
    if (Date.now() > end) throw new Error(`${what}: not within a minute`)
    await new Promise((later) => setTimeout(later, 25))
  }
}
export const untilEmpty = (box: Box) => until(async () => (await box().inputValue()) === '', 'the box is empty')
export const untilEditable = (box: Box) => until(() => box().isEditable(), 'the box can be written in')
export const untilHas = (box: Box, words: string) =>
  until(async () => (await box().isVisible()) && (await box().inputValue()).includes(words), words)
