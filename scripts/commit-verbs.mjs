// The verbs that may begin a commit subject. A program cannot tell the mood of a word, so they are listed. Add missing ones.

export const verbs = new Set(
  `
  abort accept acknowledge add adjust adopt align allow announce answer append apply approve arrange ask assert
  assign attach avoid await backport balance base batch begin blame block bound branch break bring buffer build
  bump bundle bypass cache calculate call cancel cap carry catch centralise centralize chain change check choose
  cite claim clarify clean cleanup clear clip clone close cluster collapse collect combine comment compare
  compile complete compose compress compute confirm connect consolidate constrain construct continue
  convert copy correct count cover create cut debug decide declare decode decouple deduplicate default defer
  define delay delegate delete deliver demand demonstrate deny deprecate derive describe detach detect
  determine diagnose disable discard dispatch display distinguish divide do document download draw drop dump edit
  embed emit empty emulate enable encode encrypt end enforce enlarge ensure enter enumerate escape
  establish evaluate exclude execute exempt exercise exit expand expect expire explain export expose
  express extend extract factor fail fetch fill filter find finish fit fix flag flatten flush fold follow
  forbid force forget format forward frame free freeze gather generate get give grant group grow guarantee guard
  guess guide halt hand handle harden hash hide highlight hold hook ignore implement import improve include
  increase indent index infer inform inherit initialise initialize inject inline inspect install instrument
  integrate interpret introduce invert invoke isolate join judge justify keep kill know label land launch
  lay lead leave let lift limit link lint list listen load localise lock log look loosen lose lower
  maintain make manage map mark match measure memoise memoize mend mention merge migrate mirror mock model
  modernise modify monitor move mutate name narrow nest normalise normalize note notify number obey observe
  offer omit open optimise optimize order organise organize outline output override overwrite own pack
  package pad paint parallelise parse pass patch pause permit persist pick pin pipe place plan polish poll
  populate port postpone prefer prefix prepare present preserve prevent preview print prioritise probe
  process produce prohibit promote prompt propagate protect prove provide prune publish pull purge push put
  qualify query queue quit quote raise random randomise rate reach read realign reap rearrange rebase
  rebuild recall receive recognise recognize recommend record recover redact redirect redo reduce refactor
  refer refine reflect reformat refresh refuse regenerate register reject relax release reload relocate
  rely remember remind remove rename render renew reopen reorder reorganise repair repeat rephrase replace
  replay report represent reproduce request require rerun reserve reset resolve respect respond restart
  restore restrict restructure resume retain rethrow retire retry return reuse revert review revise revoke
  rework rewrite rotate round route run sanitise sanitize save say scan schedule scope score search see
  seed select send separate serialise serialize serve set settle shape share shift shorten show shrink shut
  sign silence simplify skip slice slow sort speak specify speed spell spend split squash stabilise stage
  standardise start state stay stop store stream strengthen strike strip structure style submit subscribe
  substitute suggest summarise summarize supply support suppress surface survive suspend swap switch sync
  synchronise tabulate tag take target teach tell terminate test throttle throw tidy tie tighten time
  tolerate touch trace track transform translate treat trigger trim truncate trust try tune turn type
  uncover understand undo unescape unify uninstall unite unlink unlock unpin unset unwrap update upgrade
  upload use validate vary vendor verify view visit wait walk warn watch weaken weigh widen withdraw word
  work wrap write yield
`
    .split(/\s+/)
    .filter(Boolean),
);
