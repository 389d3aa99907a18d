"""Importing this makes ready what every answer needs. Only the process that the others are made from imports it."""

from yanli.server.work import make_ready

make_ready()
