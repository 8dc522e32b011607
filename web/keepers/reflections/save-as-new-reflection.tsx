import { useState } from 'react'
import { useNavigate } from 'react-router'
import { newClientId } from '#web/offline/new-client-id.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import type { Writing } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { logged, useJournalChanged } from './journal-queries.ts'
import { readingAddress } from './reading-address.ts'

interface SaveAsNewReflectionProps {
  kind: 'locked' | 'gone'
  writing: Writing
  onSaved: () => void
}

/** Offers to save edits as a new reflection when the original was locked or deleted elsewhere. */
export function SaveAsNewReflection({ kind, writing, onSaved }: SaveAsNewReflectionProps) {
  const { backend } = useJournal()
  const changed = useJournalChanged()
  const navigate = useNavigate()
  const [id] = useState(newClientId)
  const [failed, setFailed] = useState(false)

  async function saveAsNew() {
    const { topic, content, aiVisible } = writing
    setFailed(false)
    try {
      await logged('Failed to create reflection', backend.create({ topic, content, aiVisible, id }))
      onSaved()
      await changed()
      navigate(readingAddress(id))
    } catch {
      setFailed(true)
    }
  }

  return (
    <Banner
      tone="warning"
      className="mb-3"
      action={
        <Button size="small" onClick={saveAsNew}>
          Save as a new reflection
        </Button>
      }
    >
      {kind === 'locked'
        ? 'This reflection is now a memory card and is locked.'
        : 'This reflection was deleted while you were editing.'}{' '}
      {failed ? 'Not saved. Your text is safe in this browser.' : 'Your text is safe in this browser.'}
    </Banner>
  )
}
