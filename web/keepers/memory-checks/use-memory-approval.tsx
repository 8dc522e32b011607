import { useState } from 'react'
import { type MemoryCheck, type MemoryConsentInput, memoryChecks } from '#contract/keepers/memory-checks.ts'
import { type CallInput, call } from '#web/api/api.ts'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'

const MemoryCheckDialog = lazyComponent(async () => (await import('./memory-check-dialog.tsx')).MemoryCheckDialog)

type MemoryToApprove = NonNullable<CallInput<typeof memoryChecks.start>['body']>

/** Sent with the approving call, and the note to show afterwards. */
export interface MemoryApproval {
  goldenCheck?: MemoryConsentInput
  note: string
}

interface OpenCheck {
  check: MemoryCheck
  onDecide: (goldenCheck: MemoryConsentInput | undefined, unasked?: number) => void
}

/** `requestApproval` resolves to undefined if the person declines. If the check can't start, the server runs it on approval. */
export function useMemoryApproval(keeperId: string, { demo = false } = {}) {
  const [openCheck, setOpenCheck] = useState<OpenCheck>()

  async function requestApproval(memory: MemoryToApprove): Promise<MemoryApproval | undefined> {
    if (demo) return { note: '' }
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
        onDecide(goldenCheck, unasked = 0) {
          setOpenCheck(undefined)
          resolve(goldenCheck && { goldenCheck, note: unasked > 0 ? formatUnaskedNote(unasked) : '' })
        },
      }),
    )
  }

  const dialog = openCheck && <MemoryCheckDialog {...openCheck} />
  return { requestApproval, dialog }
}

const formatUnaskedNote = (unasked: number) => `${pluralize(unasked, 'golden question')} couldn’t be asked.`
