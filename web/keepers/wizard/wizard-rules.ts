import type { wizardKeeperTypes } from '#contract/keepers/keepers.ts'
import type { ShippedThemeSlug } from '#contract/themes/theme-keys.ts'

export const wizardSteps = [1, 2, 3] as const
export type WizardStepNumber = (typeof wizardSteps)[number]

export interface WizardDraft {
  /** Client-generated, so that a retry can't create a second keeper. */
  id: string
  step: WizardStepNumber
  title: string
  purpose: string
  keeperType: (typeof wizardKeeperTypes)[number] | null
  /** A wizard pattern, or the slug of a custom pattern. */
  memoryPattern: string | null
  theme: ShippedThemeSlug
  isPublic: boolean
}

export const createEmptyWizard = (id: string): WizardDraft => ({
  id,
  step: 1,
  title: '',
  purpose: '',
  keeperType: null,
  memoryPattern: null,
  theme: 'keeper-classic',
  isPublic: false,
})

/** Missing inputs of a step, for people. The last step checks both steps before it. */
export function listMissingInputs(step: WizardStepNumber, draft: WizardDraft): string[] {
  const purposeInputs = [draft.title.trim() === '' && 'a title', draft.purpose.trim() === '' && 'a purpose']
  const memoryInputs = [
    draft.keeperType === null && 'a keeper type',
    draft.memoryPattern === null && 'a memory pattern',
  ]
  const inputs = { 1: purposeInputs, 2: memoryInputs, 3: [...purposeInputs, ...memoryInputs] }[step]
  return inputs.filter((input) => input !== false)
}

/** The last step that a restored draft can open at. */
export function getReachableStep(draft: WizardDraft): WizardStepNumber {
  if (listMissingInputs(1, draft).length > 0) return 1
  return listMissingInputs(2, draft).length > 0 && draft.step === 3 ? 2 : draft.step
}
