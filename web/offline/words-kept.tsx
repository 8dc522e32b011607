export function WordsKept() {
  return <p className="text-small text-muted-foreground">Draft restored.</p>
}
