import type { wizardKeeperTypes } from '#contract/keepers/keepers.ts'
import type { ShippedSlug } from '#contract/themes/theme-keys.ts'

export const wizardSteps = [1, 2, 3] as const
export type WizardStep = (typeof wizardSteps)[number]

/** What the wizard asks; kept as a draft with the id the keeper will have. */
export interface WizardDraft {
  /** Made here, so that sending it again after a lost answer makes one keeper. */
  id: string
  step: WizardStep
  title: string
  purpose: string
  keeperType: (typeof wizardKeeperTypes)[number] | null
  /** One of the wizard's words, or the slug of a pattern that somebody made. */
  memoryPattern: string | null
  theme: ShippedSlug
  isPublic: boolean
}

export const emptyWizard = (id: string): WizardDraft => ({
  id,
  step: 1,
  title: '',
  purpose: '',
  keeperType: null,
  memoryPattern: null,
  theme: 'keeper-classic',
  isPublic: false,
})

/** What is still missing on a step, in words; nothing when one may go on. The last step needs what both before it ask. */
export function missingOn(step: WizardStep, draft: WizardDraft): string[] {
  const first = [draft.title.trim() === '' && 'a title', draft.purpose.trim() === '' && 'a purpose']
  const second = [draft.keeperType === null && 'a keeper type', draft.memoryPattern === null && 'a memory pattern']
  const asked = step === 1 ? first : step === 2 ? second : [...first, ...second]
  return asked.filter((word) => word !== false)
}

/** A draft from an earlier visit, at the furthest step it may be at. */
export function reachableStep(draft: WizardDraft): WizardStep {
  if (missingOn(1, draft).length > 0) return 1
  return missingOn(2, draft).length > 0 && draft.step === 3 ? 2 : draft.step
}
