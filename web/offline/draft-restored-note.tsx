export function DraftRestoredNote() {
  return <p className="text-small text-muted-foreground">Draft restored.</p>
}
