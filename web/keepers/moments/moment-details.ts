import { Clock, EyeOff, Heading, type LucideIcon, MapPin, Route, SmilePlus, Tag } from 'lucide-react'
import { formatLocalTime, formatMood, type MomentDraft } from './moment-draft.ts'

export type MomentDetail = 'mood' | 'place' | 'topics' | 'when' | 'journey' | 'title' | 'ai'

interface DetailKind {
  label: string
  Icon: LucideIcon
  /** Empty while the moment has no value. */
  format: (draft: MomentDraft) => string
}

export const momentDetails: Record<MomentDetail, DetailKind> = {
  mood: { label: 'Mood', Icon: SmilePlus, format: ({ mood }) => (mood ? formatMood(mood) : '') },
  place: { label: 'Place', Icon: MapPin, format: ({ place }) => place?.name.trim() ?? '' },
  topics: { label: 'Topics', Icon: Tag, format: ({ topics }) => topics.join(', ') },
  when: { label: 'When', Icon: Clock, format: ({ lived: localTime }) => (localTime ? formatLocalTime(localTime) : '') },
  journey: { label: 'Journey', Icon: Route, format: ({ journeyId }) => (journeyId ? 'On a journey' : '') },
  title: { label: 'Title', Icon: Heading, format: ({ title }) => title.trim() },
  ai: { label: 'Not for AI', Icon: EyeOff, format: ({ aiVisible }) => (aiVisible ? '' : 'Not for AI') },
}

/** The details that have a value, in the order of the tools. */
export const listSetDetails = (draft: MomentDraft): MomentDetail[] =>
  (Object.keys(momentDetails) as MomentDetail[]).filter((detail) => momentDetails[detail].format(draft) !== '')
