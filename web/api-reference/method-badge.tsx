import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import type { ApiMethod } from './api-calls.ts'

const tones: Record<ApiMethod, BadgeTone> = {
  GET: 'info',
  POST: 'success',
  PUT: 'warning',
  PATCH: 'warning',
  DELETE: 'destructive',
}

export const MethodBadge = ({ method }: { method: ApiMethod }) => (
  <Badge mono tone={tones[method]}>
    {method}
  </Badge>
)
