/**
 * What the page receives: one performance as data, and what its parts hand to one another. No code, only shapes.
 *
 * The page knows no rule of any rite. It gets the state of everybody and everything before the first act, and what each
 * act changes; any moment is the first state with the changes of all acts that are done. Lengths are in 尺 (x east,
 * y north, origin at the middle of the hall's front edge), times in seconds, facings in degrees clockwise from north.
 *
 * Text is pooled: a `Word` is an index into `words`; -1 says that there is none. Written by `render/staging.py`.
 */

/** @typedef {number} Word  an index into `StageDoc.words`, or -1 */

/**
 * @typedef {object} StageDoc
 * @property {1} format
 * @property {{name: Word, slug: string, en: string}} rite
 * @property {number} length  seconds from the first act to the end of the last
 * @property {Settings} settings  the scenario that was played
 * @property {Choices} choices  what else could be chosen
 * @property {string[]} words  every text once, in traditional characters (twice where it has two meanings in English)
 * @property {Forms} forms  the same words otherwise; arrays beside `words`, null where there is no other form
 * @property {[from: string, to: string]} folds  for looking words up: characters, and beside each the one that stands for
 *   all its shapes, simplified ones too
 * @property {Word} standing  the posture of one who stands; every other is kneeling
 * @property {Word[]} facings  the eight ways one can face, clockwise from north (北面, 東北面 …)
 * @property {Record<"text" | "editor" | "inferred", Word>} origins  what the three origins are called
 * @property {Section[]} sections  all sections of the rite, in the order of the text
 * @property {Clause[]} clauses  all clauses, in the order of the text
 * @property {Play[]} plays  clauses as they were played, in the order of time
 * @property {Person[]} people
 * @property {Item[]} things
 * @property {Spot[]} spots
 * @property {Info[]} infos
 * @property {EventRow[]} events  in the order of time; the number `n` of the contract is the index + 1
 * @property {{people: PersonState[], things: ThingState[]}} start
 * @property {Building} building
 * @property {Record<string, Form>} kinds  by the kind of thing (鹿中, 爵): how it looks
 * @property {Finding[]} findings  what could not be played as the words have it
 */

/**
 * @typedef {object} Settings
 * @property {Record<string, string | number>} values  every key with its value
 * @property {string[]} given  keys that somebody set
 * @property {string | null} school
 * @property {Record<string, string>} readings  cruxes that somebody decided
 * @property {Record<string, string[]>} chosen  by crux: the readings in force
 */

/**
 * @typedef {object} Choices
 * @property {Choice[]} keys
 * @property {Crux[]} cruxes
 * @property {string[]} schools  by how many cruxes they answer
 */
/**
 * @typedef {object} Choice  a key of a scenario
 * @property {string} key
 * @property {"count" | "number" | "choice" | "flag" | "measure" | "seed"} type  flag: 是 or 否; measure: of the building, a
 *   length with its unit, as 20尺 or 50弓, or one of `values`
 * @property {string[]} values  those allowed; empty where it is a number or a length
 * @property {string | number | null} default  null where it follows from the rest: a measure in force stands in
 *   `building.measures`, a number in `settings.values`
 * @property {number | null} min
 * @property {number | null} max
 * @property {Word} zh  @property {string} en  @property {Word} source
 */
/**
 * @typedef {object} Crux  a dispute
 * @property {string} name
 * @property {Word} question  what is asked, or -1
 * @property {{names: string[]}[]} readings  those who hold each answer, the default answer first; any of its names
 *   chooses it
 * @property {number[]} clauses  the clauses (from 0) where it matters
 */

/**
 * `pinyin` and `ko` are there for names and words (people, places, things, verbs, sections); a clause has its own.
 *
 * @typedef {object} Forms
 * @property {(string | null)[]} hans  simplified; null where it is the same
 * @property {(string | null)[]} en
 * @property {(string | null)[]} pinyin
 * @property {(string | null)[]} ko  Korean reading
 */

/**
 * @typedef {object} Section
 * @property {number} number  from 1
 * @property {Word} name
 * @property {string} en
 * @property {number} first  its first clause (from 0)
 * @property {number} last  its last clause
 * @property {number | null} start  when it begins (seconds), null when it is not played
 * @property {number | null} end
 */
/**
 * @typedef {object} Clause
 * @property {string} id  as xiangshe.4.12
 * @property {Word} text  the canonical words, without punctuation
 * @property {number} section  an index into `sections`
 * @property {string[]} pinyin  a syllable for each character of `text` (code points), "" where there is none
 * @property {string[]} ko  the same in Hangul
 * @property {Word[]} bound  for words that ask for no act: what the score says of them
 * @property {Word} untaken  why it is not played in this scenario, or -1
 */
/**
 * @typedef {object} Play  one playing of a clause
 * @property {number} clause
 * @property {number} start
 * @property {number} end
 * @property {number[]} via  the clauses of passages played again, innermost first; empty for the running text
 * @property {number} done  acts with an `order` below this were played before it ended
 */

/**
 * @typedef {object} Person
 * @property {Word} name  the full name, as 眾賓.2
 * @property {Word} base  @property {number} number  0 where there is but one
 * @property {Word} label  the short name for the plan, as 眾賓二
 * @property {string} en  the short name in English
 * @property {"host" | "guest" | "other"} party
 * @property {Word[]} groups
 */
/**
 * @typedef {object} PersonState
 * @property {number} spot  an index into `spots`
 * @property {number} facing  degrees
 * @property {Word} posture  立 坐 …
 * @property {number | null} step  the step of the stair on which he stands
 * @property {number[]} left  things in the left hand
 * @property {number[]} right
 * @property {number[]} belt
 * @property {Word[]} dress
 * @property {Word[]} roles  offices in force; the last is what he is called now, on the plan instead of `label`
 */
/**
 * A thing that lies somewhere is shown, unless it is (1) still in `store`, (2) in a zone of `building.hidden`,
 * (3) outside the gate, south of `building.bounds`, (4) in another thing that has no place (its `where` is the `id` of a
 * thing), (5) upon what `kinds[kind].upon` names, at the same `where`, or (6) in or on a thing that is not shown itself:
 * its `where` is in `kinds[…].holds` of some kind and nothing of that kind is set up, at a place that has its own name
 * or is more than a zone. `stacks.js` sorts all this out.
 *
 * @typedef {object} Item  a thing
 * @property {string} id  as 爵.1
 * @property {Word} kind
 * @property {number} of  whose it is: an index into `people`, or -1
 * @property {Word[]} [store]  the places where, while it lies there, it is put by and not shown
 */
/**
 * @typedef {object} ThingState
 * @property {number} holder  an index into `people`, or -1 when it lies somewhere
 * @property {Word} where  the place where it lies, or -1 when somebody has it
 * @property {number} spot  where it lay last
 * @property {boolean} filled
 * @property {number | null} facing
 * @property {Word} lay
 * @property {number} layers
 * @property {Record<string, string>} states  as {"左下綱": "不繫"}
 */
/** @typedef {[x: number, y: number, name: Word, zone: Word, facing?: number]} Spot  `facing`: how the place is turned */
/**
 * @typedef {object} Info  what all events of one act of the score share
 * @property {Word} verb
 * @property {"text" | "editor" | "inferred"} origin
 * @property {number} times  how often it is done in one act (再拜: 2)
 * @property {Word} music  @property {Word} matter  @property {Word} warrant  @property {Word} reading
 * @property {Word} reason  @property {Word} source  the place after 自
 * @property {number} seconds  how long it takes beside walking
 * @property {Gesture | ""} gesture  what is seen of it from afar
 */
/**
 * @typedef {"bow" | "salute" | "shoot" | "offer" | "drink" | "raise" | "wash"} Gesture  what an act looks like: to the
 *   ground on one's knees, a bow with joined hands, drawing and loosing, holding out, drinking, holding up, washing
 */
/**
 * @typedef {object} EventRow
 * @property {number} start
 * @property {number} end
 * @property {number} [order]  its place in the order of play (from 0), where it is not one more than in the row before;
 *   `Timeline.order` has it for every event. What is done is done by `end`, then by index
 * @property {number} actor
 * @property {number} info
 * @property {number} clause
 * @property {number[]} [via]
 * @property {number[]} [things]
 * @property {number[]} [target]
 * @property {Word} [to]
 * @property {boolean} [hit]
 * @property {Word} [fell]  how the arrow fell, if it was neither a plain hit nor a plain miss (揚觸, 留)
 * @property {number[]} [path]  x, y, x, y … the way that was walked
 * @property {number} spot  the actor's, when it is done, as all that follows
 * @property {number} facing
 * @property {Word} posture
 * @property {number} [step]
 * @property {Word[]} [roles]
 * @property {number} [together]  the same number for those who act as one
 * @property {Word} [speech]  the words spoken, with their slots filled
 * @property {Word} act  what is done, in words (Chinese; its English is in `forms.en`)
 * @property {Change[]} [changes]
 */
/**
 * A bare name of an attribute: the actor's becomes what stands in the row.
 *
 * @typedef {"spot" | "facing" | "posture" | "step" | ["p", person: number, attribute: keyof PersonState, value: any]
 *   | ["t", thing: number, attribute: keyof ThingState, value: any]
 *   | ["n", 0, "tally", value: Record<string, number>]} Change
 */

/**
 * @typedef {object} Building
 * @property {Word} kind  序 庠 場
 * @property {number} metres  length of one 尺
 * @property {Record<string, number>} measures  in 尺
 * @property {number} height  of the hall's floor above the court, in 尺
 * @property {Shape[]} shapes  in the order in which they are drawn
 * @property {string[]} upper  the zones on the hall's floor
 * @property {string[]} hidden  zones into which nobody sees (房, 室)
 * @property {[west: number, south: number, east: number, north: number]} bounds  hall and court
 * @property {[west: number, south: number, east: number, north: number][]} targets  of each target with its screen
 */
/**
 * @typedef {object} Shape  a part of the building
 * @property {"court" | "hall" | "room" | "wall" | "pillar" | "beam" | "edge" | "stair" | "mark" | "post" | "sill"
 *   | "tent" | "zone"} form  a zone is ground that has a name and nothing to be seen
 * @property {Word} name  its name on the plan, or -1
 * @property {[west: number, south: number, east: number, north: number]} box
 * @property {number} base  its foot above the court, in 尺
 * @property {number} tall  its height, in 尺 (0: flat)
 * @property {number} [steps]  of a stair; it rises to the north, except 北階
 * @property {boolean} [assumed]  no source gives its height
 */
/**
 * @typedef {object} Form  how things of a kind look
 * @property {string} form  the mould that it has: 爵 弓 矢 算 中 侯 席 壺 篚 洗 楅 豐 乏 旌 扑 瑟 …
 * @property {string} look  whose mark it has: its mould's, or another that looks the same
 * @property {[broad: number, deep: number] | null} size  across and along the way it faces, in 尺, of what is set up
 * @property {string} en
 * @property {boolean} [stands]  it is set up, and not merely laid down
 * @property {number} [front]  the way it faces as it is measured and drawn, in degrees (180 if not said)
 * @property {string[]} [holds]  the places that mean: in it, or on it (中, 鹿中)
 * @property {string[]} [upon]  the kinds with which it is not seen by itself where they lie (肺 upon 俎)
 * @property {Word} [called]  what its label says, if not its own word
 * @property {Word[]} [laid]  the places where it lies to be counted for a side
 * @property {number} [low]  how high the lower edge of a target hangs, in 尺
 */
/** @typedef {{code: string, cause: string, grade: string, clause: string | null, words: string | null}} Finding */

// ── at a moment ───────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * @typedef {object} Moment  everything when what has ended is done
 * @property {PersonState[]} people
 * @property {ThingState[]} things
 * @property {Record<string, number>} tally
 */
/**
 * @typedef {object} Pose  one person while acts are under way; made by `pose.js`
 * @property {number} x  @property {number} y  @property {number} z  above the court, in 尺
 * @property {number} facing  degrees, turning as he turns
 * @property {number} kneel  0 standing … 1 kneeling
 * @property {number} bow  0 upright … 1 at the lowest of a bow (拜: on his knees with the head down; 揖: a slight one)
 * @property {number} draw  0 … 1 the bow fully drawn
 * @property {boolean} walking
 * @property {number} event  the index of the act that he is doing, or -1
 * @property {Gesture | ""} gesture  what is seen of that act; "" while he still walks to it
 * @property {number} share  0 … 1 of that gesture
 */
/**
 * @typedef {object} Flight  an arrow in the air
 * @property {number} thing  @property {number} share  0 … 1 of its way
 * @property {[number, number]} from  @property {[number, number]} to
 * @property {boolean} hit  it comes to the target that was aimed at
 * @property {Word} fell  how it falls, or -1
 */

// ── what is said of the clauses ───────────────────────────────────────────────────────────────────────────────────

/**
 * @typedef {object} NotesDoc  what the works of a store say of a rite; written by `render/staging_notes.py`
 * @property {1} format
 * @property {string} rite  its slug
 * @property {{name: string, title: string}[]} works
 * @property {{name: string, era: string | null}[]} speakers
 * @property {Note[]} notes  by layer, and within a layer from the oldest to the newest
 * @property {NoteVariant[]} variants
 * @property {ClauseNotes[]} clauses
 */
/**
 * @typedef {object} Note
 * @property {string} layer  注, 音, 疏, 論, 案, 譯 …
 * @property {number} [speaker]  an index, or -1
 * @property {string} text
 * @property {string} first  the id of the first clause that it speaks of
 * @property {string} last
 * @property {number} [confidence]  how sure it is that it speaks of these, from 0 to 1
 * @property {NotePlace[]} places  the work that has it most fully comes first
 */
/**
 * @typedef {object} NotePlace
 * @property {number} work  an index
 * @property {string | null} [page]
 * @property {number} line
 * @property {string[]} [quoted_by]  innermost first
 * @property {{words: string, reading: string}[]} [changes]  from the words of the note
 * @property {{found: string, words: string, reviewer: string, reason: string}[]} [emended]  what is read there that does
 *   not stand so in the work
 * @property {number} [damaged]  how many places are damaged there, and not emended
 */
/**
 * @typedef {object} NoteVariant
 * @property {string} kind
 * @property {string} words  ours
 * @property {string} reading  theirs
 * @property {string[]} witnesses
 * @property {string} [note]
 */
/**
 * @typedef {object} ClauseNotes
 * @property {string} clause  its id
 * @property {number[]} [notes]
 * @property {number[]} [after]  where it has no old note: those that follow next
 * @property {string} [at]  the clause behind which these stand
 * @property {number[]} [references]  remarks on other words that refer to these
 * @property {number[]} [variants]
 */

// ── what the reader has chosen ────────────────────────────────────────────────────────────────────────────────────

/**
 * @typedef {object} Choosing  what somebody decided of a scenario
 * @property {Record<string, string>} set  keys of the scenario
 * @property {string | null} school
 * @property {Record<string, string>} readings  by crux
 */
/**
 * @typedef {object} Link  the whole state of the page, as a link carries it
 * @property {string} rite
 * @property {Record<string, string>} set  keys of the scenario
 * @property {string | null} school
 * @property {Record<string, string>} readings
 * @property {Choosing | null} against  what stands beside it, to be compared
 * @property {number} time  seconds
 * @property {number} speed
 * @property {string | null} follow  a person's full name, or a thing's id
 * @property {"plan" | "depth"} view
 * @property {"text" | "people" | "differences"} tab  what the panel shows
 * @property {string | null} eye  in the depth view: the person with whose eyes one looks
 * @property {[x: number, y: number, scale: number] | null} camera  null: it goes where things happen
 * @property {"hant" | "hans" | "en"} script
 * @property {"none" | "pinyin" | "ko"} ruby
 * @property {"horizontal" | "vertical"} writing
 * @property {"auto" | "light" | "dark"} theme
 * @property {"off" | "on"} notes  what is said of every clause that is open
 * @property {string} search
 */

export {};
