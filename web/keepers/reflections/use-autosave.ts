import { useEffect, useEffectEvent } from 'react'
import type { EntityForm } from '#web/offline/use-entity-form.tsx'
import type { ReflectionWriting } from './journal-backend.ts'

const pauseMs = 2_000

/** Saves after a pause and on leaving. Edits made during a save are saved after it. */
export function useAutosave({ values, isDirty, isSaving, save }: EntityForm<ReflectionWriting>, isBlocked: boolean) {
  const saveChanges = useEffectEvent(() => {
    if (isDirty && !isBlocked) void save().then((isSaved) => isSaved && save())
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change restarts the save delay
  useEffect(() => {
    if (!isDirty || isSaving) return
    const timer = setTimeout(() => saveChanges(), pauseMs)
    return () => clearTimeout(timer)
  }, [isDirty, isSaving, values.content, values.topic, values.aiVisible])
  useEffect(() => {
    const handleVisibilityChange = () => document.visibilityState === 'hidden' && saveChanges()
    document.addEventListener('visibilitychange', handleVisibilityChange)
    return () => document.removeEventListener('visibilitychange', handleVisibilityChange)
  }, [])
  const saveOnLeave = useEffectEvent(() => saveChanges())
  useEffect(() => () => saveOnLeave(), [])
}
