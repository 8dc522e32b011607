export function PatternNote() {
  return (
    <section aria-labelledby="about-sole" className="text-ui">
      <h2 id="about-sole" className="mb-2 text-[17px]">
        About the SOLE pattern
      </h2>
      <div className="flex flex-col gap-2 text-muted-foreground">
        <p>A SOLE is the one standing story of this keeper, told in single statements.</p>
        <p>
          An agent drafts it from your memory cards and quotes them letter for letter. A draft with a quote that isn’t
          in its card is refused.
        </p>
        <p>
          A draft has no effect until you approve it. From then on, agents of this keeper’s type read the approved
          statements and nothing else in the SOLE.
        </p>
        <p>Every version is kept with its decision and reason, and can be restored.</p>
      </div>
    </section>
  )
}
