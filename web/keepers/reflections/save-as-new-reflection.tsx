import { useState } from 'react'
import { useNavigate } from 'react-router'
import { createClientId } from '#web/offline/create-client-id.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { getReadingPath } from './journal-addresses.ts'
import type { ReflectionWriting } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { useInvalidateJournal, withErrorLog } from './journal-queries.ts'

interface SaveAsNewReflectionProps {
  kind: 'locked' | 'gone'
  writing: ReflectionWriting
  onSaved: () => void
}

export function SaveAsNewReflection({ kind, writing, onSaved }: SaveAsNewReflectionProps) {
  const { backend } = useJournal()
  const invalidateJournal = useInvalidateJournal()
  const navigate = useNavigate()
  const [id] = useState(createClientId)
  const [hasFailed, setHasFailed] = useState(false)

  async function saveAsNew() {
    const { topic, content, aiVisible } = writing
    setHasFailed(false)
    try {
      await withErrorLog('Failed to create reflection', backend.create({ topic, content, aiVisible, id }))
      onSaved()
      await invalidateJournal()
      navigate(getReadingPath(id))
    } catch {
      setHasFailed(true)
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
      {hasFailed ? 'Not saved. Your text is safe in this browser.' : 'Your text is safe in this browser.'}
    </Banner>
  )
}
