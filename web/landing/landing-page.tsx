import { DebugLink } from '#web/page/debug-tab.tsx'
import { AnchorButton } from '#web/ui/controls/button.tsx'
import { SkipLink } from '#web/ui/controls/skip-link.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { Landscape } from '#web/ui/drawings/landscape.tsx'
import { Mark } from '#web/ui/drawings/mark.tsx'
import { Spot, type SpotName } from '#web/ui/drawings/spot.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Ribbon } from '#web/ui/panels/ribbon.tsx'
import { SavedLabel } from '#web/ui/panels/saved-label.tsx'
import { PublicHeader } from './public-header.tsx'

/** Prerendered into landing.html by the build, so that no script delays it. */
export function LandingPage() {
  return (
    <div className="mx-auto max-w-[1440px] overflow-x-clip">
      <SkipLink />
      <PublicHeader currentPage="home" className="relative z-10" />
      <main id="main" tabIndex={-1} className="outline-hidden">
        <Hero />
        <section
          aria-label="What it is"
          className="grid grid-cols-3 gap-14 border-b border-border px-14 pt-14 pb-16 phone:grid-cols-1 phone:gap-7 phone:px-[18px] phone:py-11"
        >
          {sections.map(({ drawing, title, text }) => (
            <div key={title}>
              <Spot name={drawing} width={92} className="-ms-2 mb-3.5" />
              <h2>{title}</h2>
              <p className="mt-2 text-lead text-muted-foreground">{text}</p>
            </div>
          ))}
        </section>
        <KeeperShowcase />
      </main>
      <footer
        data-chrome
        className="flex flex-wrap items-center gap-6 px-14 pt-6 pb-10 text-ui text-muted-foreground phone:px-[18px] phone:pb-20"
      >
        <span className="flex items-center gap-2">
          <Mark size={18} />
          Keeper
        </span>
        <a href="/" className="tap-area ms-auto rounded-xs hover:text-foreground">
          Home
        </a>
        <a href="/register" className="tap-area rounded-xs hover:text-foreground">
          Begin
        </a>
        <a href="/login" className="tap-area rounded-xs hover:text-foreground">
          Login
        </a>
        <DebugLink />
      </footer>
    </div>
  )
}

const sections: { drawing: SpotName; title: string; text: string }[] = [
  {
    drawing: 'lamp',
    title: 'Moments',
    text: 'Write a line, speak one, or paste one in. The day fills up on its own, with times in the margin.',
  },
  {
    drawing: 'path',
    title: 'Journeys',
    text: 'Moments that belong together become a road you can walk back along: a year, a move, a recovery.',
  },
  {
    drawing: 'drawer',
    title: 'What stays',
    text: 'After a day has passed, your keeper suggests what might be worth keeping. You decide. Nothing is kept without you.',
  },
]

function Hero() {
  return (
    <section
      aria-label="Welcome"
      className="relative -mt-[76px] min-h-[824px] overflow-hidden phone:-mt-16 phone:min-h-[780px] tight:pb-16"
    >
      <Landscape
        width={1440}
        height={490}
        disc={{ x: 0.735, y: -0.05, radius: 0.115 }}
        seed="quay-6"
        horizon={0.345}
        birds={[
          { x: 0.52, y: -0.13, scale: 1 },
          { x: 0.55, y: -0.18, scale: 0.75 },
          { x: 0.578, y: -0.11, scale: 0.6 },
        ]}
        className="absolute inset-x-0 bottom-0 h-[490px] overflow-visible phone:hidden"
      />
      <Landscape
        width={390}
        height={400}
        disc={{ x: 0.8, y: 0.31, radius: 0.095 }}
        horizon={0.42}
        birds={[]}
        className="absolute inset-x-0 bottom-0 h-[400px] overflow-visible desk:hidden"
      />
      <div className="relative max-w-[860px] px-14 pt-[122px] phone:px-[18px] phone:pt-[104px]">
        <h1 className="text-[4.25rem]! leading-[4.375rem]! font-[450]! tracking-[-0.026em]! phone:text-[2.625rem]! phone:leading-[2.8125rem]!">
          Begin the journey of <br className="phone:hidden" />
          what is worth keeping
        </h1>
        <p className="mt-[22px] mb-7 max-w-[33em] text-[1.1875rem] leading-[1.8125rem] phone:mt-4 phone:mb-[22px] phone:text-[1.0625rem] phone:leading-[1.625rem]">
          A quiet place for moments, journeys and the small things you would hate to lose, with keepers that remember
          them alongside you.
        </p>
        <div className="flex flex-wrap gap-3">
          <AnchorButton href="/register" variant="primary" size="large">
            Begin
          </AnchorButton>
          <AnchorButton href="/login" data-return variant="plain" size="large">
            I already have a keeper
          </AnchorButton>
        </div>
      </div>
      <Card
        kind="paper"
        padded={false}
        className="absolute! end-[72px] bottom-16 tight:relative! tight:inset-auto! tight:mx-[18px] tight:mt-16 tight:desk:mx-14 w-[340px] px-[26px] pt-[22px] pb-[18px] phone:end-auto phone:start-[18px] phone:bottom-[72px] phone:w-[calc(100%-36px)] phone:max-w-[330px] phone:px-5 phone:py-4"
      >
        <Ribbon className="end-[22px] h-[34px] w-[13px]" />
        <p className="text-small text-muted-foreground">Thursday, November 19, 18:40</p>
        <p className="mt-2.5 mb-3.5 font-serif text-[1.1875rem] leading-7 phone:mt-1.5 phone:mb-2.5 phone:text-[1.0625rem] phone:leading-[1.5625rem]">
          Ida left the lamp on in the kitchen again. I stood there with the kettle and decided not to turn it off.
        </p>
        <p className="flex items-center justify-between">
          <SavedLabel />
          <span className="text-small text-muted-foreground">The Harbour Year</span>
        </p>
      </Card>
    </section>
  )
}

const coverSeeds = ['harbour', 'letters', 'winter-a', 'orchard-a', 'north-a']

function KeeperShowcase() {
  return (
    <section
      aria-label="Keepers"
      className="grid grid-cols-[420px_1fr] items-center gap-[72px] px-14 pt-[72px] pb-20 max-[1340px]:grid-cols-1 max-[1340px]:gap-9 phone:px-[18px] phone:py-11"
    >
      <div>
        <h2 className="text-[2rem]! leading-[2.375rem]!">A keeper for each part of a life</h2>
        <p className="mt-3 mb-5 text-lead text-muted-foreground">
          One for the house by the harbour. One for your father’s recipes. One for the thesis. Each holds its own
          reflections, memory cards, voice and logbook, and each can be run by an agent you designed.
        </p>
        <AnchorButton href="/kip" target="_blank" rel="noopener">
          Talk to Kip
          <span className="sr-only">(opens in a new tab)</span>
        </AnchorButton>
      </div>
      <div className="flex min-w-0 items-end justify-end gap-[22px] overflow-hidden border-b-10 border-chart2/35 max-[1340px]:justify-start">
        {coverSeeds.map((seed, index) => (
          <Cover key={seed} seed={seed} width={132} height={176} ribbon={index === 0} className="rounded-b-none!" />
        ))}
      </div>
    </section>
  )
}
