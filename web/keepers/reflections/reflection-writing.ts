import type { Reflection } from '#contract/keepers/reflections.ts'
import type { ReflectionWriting } from './journal-backend.ts'

export const blankWriting: ReflectionWriting = { topic: '', content: '', aiVisible: true }

export const toWriting = ({ topic, content, aiVisible }: Reflection): ReflectionWriting => ({
  topic: topic ?? '',
  content,
  aiVisible,
})

export const requireContent = ({ content }: ReflectionWriting): Record<string, string> =>
  content.trim() === '' ? { content: 'Saves once you write something' } : {}

export const getReflectionDraftKey = (id: string) => `reflection/${id}`
