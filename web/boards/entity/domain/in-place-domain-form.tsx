import { useState } from 'react'
import type { Domain } from '#contract/domains/domains.ts'
import { DomainForm } from '#web/domains/domain-form.tsx'

interface InPlaceDomainFormProps {
  domain: Domain
  onSaved: () => void
}

/** Stays open with the saved values after saving or canceling. */
export function InPlaceDomainForm({ domain, onSaved }: InPlaceDomainFormProps) {
  const [resetCount, setResetCount] = useState(0)
  const reset = () => setResetCount((count) => count + 1)
  return (
    <DomainForm
      key={resetCount}
      domain={domain}
      onSaved={() => {
        reset()
        onSaved()
      }}
      onCancel={reset}
    />
  )
}
