import { LogOut } from 'lucide-react'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'

export function UserBlock({ narrow = false }: { narrow?: boolean }) {
  const { user, logout } = useAuth()
  if (!user) return null
  const name = user.name || user.nickname || user.email
  const initial = <Initial name={name} />
  const signOut = (
    <IconButton label="Sign out" onClick={logout}>
      <LogOut aria-hidden size={16} />
    </IconButton>
  )
  if (narrow) {
    return (
      <div className="flex flex-col items-center gap-2">
        <span title={`${name}, ${user.email}`}>
          {initial}
          <span className="sr-only">{`${name}, ${user.email}`}</span>
        </span>
        {signOut}
      </div>
    )
  }
  return (
    <div className="flex items-center gap-2.5 p-1">
      {initial}
      <div className="min-w-0 flex-1">
        <div className="truncate leading-[17px] font-semibold text-foreground">{name}</div>
        {name !== user.email && <div className="truncate text-small text-muted-foreground">{user.email}</div>}
      </div>
      {signOut}
    </div>
  )
}

function Initial({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-full bg-primary font-serif text-[15px] leading-none font-medium text-primary-foreground"
    >
      {Array.from(name.trim())[0]?.toUpperCase()}
    </span>
  )
}
