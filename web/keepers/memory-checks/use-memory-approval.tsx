import { useState } from 'react'
import { type MemoryCheck, type MemoryConsentInput, memoryChecks } from '#contract/keepers/memory-checks.ts'
import { type CallInput, call } from '#web/api/api.ts'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'

const MemoryCheckDialog = lazyComponent(async () => (await import('./memory-check-dialog.tsx')).MemoryCheckDialog)

type MemoryToApprove = NonNullable<CallInput<typeof memoryChecks.start>['body']>

/** The consent to send with the approving call, and a note to show afterwards. */
export interface MemoryApproval {
  goldenCheck?: MemoryConsentInput
  note: string
}

interface OpenCheck {
  check: MemoryCheck
  onDecide: (goldenCheck: MemoryConsentInput | undefined, unaskedCount?: number) => void
}

/** `requestApproval` resolves to undefined if the person declines. If the check can't start, the server runs it on approval. */
export function useMemoryApproval(keeperId: string, { isDemo = false } = {}) {
  const [openCheck, setOpenCheck] = useState<OpenCheck>()

  async function requestApproval(memory: MemoryToApprove): Promise<MemoryApproval | undefined> {
    if (isDemo) return { note: '' }
    let check: MemoryCheck
    try {
      check = await call(memoryChecks.start, { params: { id: keeperId }, body: memory })
    } catch {
      return { note: '' }
    }
    if (check.id === null) return { note: '' }
    return new Promise((resolve) =>
      setOpenCheck({
        check,
        onDecide(goldenCheck, unaskedCount = 0) {
          setOpenCheck(undefined)
          resolve(goldenCheck && { goldenCheck, note: unaskedCount > 0 ? formatUnaskedNote(unaskedCount) : '' })
        },
      }),
    )
  }

  const dialog = openCheck && <MemoryCheckDialog {...openCheck} />
  return { requestApproval, dialog }
}

const formatUnaskedNote = (unaskedCount: number) => `${pluralize(unaskedCount, 'golden question')} couldn’t be asked.`
