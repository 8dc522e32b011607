import { useEffect, useState } from 'react'

interface SandboxedPageProps {
  /** What it is called, for those who listen. */
  title: string
  /** A whole HTML document, cleaned already. */
  document: string
  className: string
}

/** Somebody's page, by blob address: the policy of this page holds in there too, and the sandbox lets nothing run. */
export function SandboxedPage({ title, document, className }: SandboxedPageProps) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([document], { type: 'text/html' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [document])
  if (!address) return null
  return (
    <iframe key={address} title={title} src={address} sandbox="" referrerPolicy="no-referrer" className={className} />
  )
}
