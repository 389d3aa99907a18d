"""The server: performances for a browser, computed when they are asked for. It knows no rule of any rite.

Comes in: requests. Goes out: the page and its files, performances as JSON, plain errors. Needs the extra ``server``.

    guard       who may ask at all, and what every answer forbids the browser
    limits      how much is done for one request
    faults      what a request cannot have, told plainly
    questions   what can be asked, and the reading of a query
    editions    the rites that may be asked for
    work        one answer, made in a process of its own
    crew        the processes: how many, how long, how large
    shelf       answers kept by content
    desk        each question answered once, however many ask
    assets      the page's files
    description the same told to programs (OpenAPI)
    app         all of it together
    running     on a port of this machine
"""
